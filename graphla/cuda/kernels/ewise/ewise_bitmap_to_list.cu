// A new list: the entries of x, a bitmap or full, that combine(x) keeps and the mask allows.
//
// A warp takes TOGETHER entries for each lane, and makes room for what it keeps of them at once.
#include "masked_write.cuh"
#include "elementwise_formula.cuh"
#include "host_result.cuh"
enum { TOGETHER = WARP < 8 ? WARP : 8 };

extern "C" __global__ void ewise_bitmap_to_list(i64 n, i64 ncols, const X* x, const u32* xbits, S s, const Mask* m, const u32* mbits, Index* out, C* c,
                                u64* size, u64* host) {
  for (i64 first = warp() * WARP * TOGETHER; first < n; first += warps() * WARP * TOGETHER) {
    T t[TOGETHER];
    u32 kept[TOGETHER];
    int total = 0;
#pragma unroll
    for (int r = 0; r < TOGETHER; r++) {
      i64 i = first + r * WARP + lane();
      t[r] = T();
      bool there = i < n && mask_allows(m, mbits, i) && Combine::at(has(xbits, i), x[i], false, Y(), s, i / ncols, i % ncols, t[r]);
      kept[r] = ballot(there);
      total += __popc(kept[r]);
    }
    if (!total) continue;
    u64 begin = 0;
    if (lane() == 0) begin = atomicAdd(size, (u64)total);
    i64 place = from_lane(begin, 0);
#pragma unroll
    for (int r = 0; r < TOGETHER; r++) {
      if (kept[r] >> lane() & 1) {
        i64 at = place + __popc(kept[r] & ((1u << lane()) - 1));
        out[at] = first + r * WARP + lane();
        c[at] = cast<C>(t[r]);
      }
      place += __popc(kept[r]);
    }
  }
  publish_count(size, host);
}
