// C<M, replace> = combine(x), C a new list: the entries of x, a bitmap or full, that combine keeps and the mask allows.
//
// Work split: each warp takes 32 * BATCH consecutive positions, one of every 32 per lane.
// Conflicts: a warp reserves places in C for all its entries by one atomic addition, so C is ordered within a warp's
// positions only.
// Memory: reads x, its bits and the mask once, coalesced; writes the entries of C. `c_size` is {0, 0} before; the host can
// wait for its value (publish_count).
#include "masked_write.cuh"
#include "elementwise_formula.cuh"
#include "host_result.cuh"
enum { BATCH = WARP < 8 ? WARP : 8 };  // positions per lane

extern "C" __global__ void ewise_bitmap_to_list(i64 n, i64 ncols, const X* x, const u32* x_bits, S scalar, const Mask* mask_values,
                                                const u32* mask_bits, Index* c_indices, C* c, u64* c_size, u64* host_words) {
  for (i64 first = warp() * WARP * BATCH; first < n; first += warps() * WARP * BATCH) {
    T t[BATCH];
    u32 kept_lanes[BATCH];
    int total = 0;
#pragma unroll
    for (int r = 0; r < BATCH; r++) {
      i64 i = first + r * WARP + lane();
      t[r] = T();
      bool is_kept = i < n && mask_allows(mask_values, mask_bits, i), has_x = is_kept && has(x_bits, i);
      is_kept = is_kept && Combine::at(has_x, has_x ? x[i] : X(), false, Y(), scalar, i / ncols, i % ncols, t[r]);
      kept_lanes[r] = ballot(is_kept);
      total += __popc(kept_lanes[r]);
    }
    if (!total) continue;
    u64 begin = 0;
    if (lane() == 0) begin = atomicAdd(c_size, (u64)total);
    i64 batch_place = from_lane(begin, 0);
#pragma unroll
    for (int r = 0; r < BATCH; r++) {
      if (kept_lanes[r] >> lane() & 1) {
        i64 place = batch_place + __popc(kept_lanes[r] & ((1u << lane()) - 1));
        c_indices[place] = first + r * WARP + lane();
        c[place] = cast<C>(t[r]);
      }
      batch_place += __popc(kept_lanes[r]);
    }
  }
  publish_count(c_size, host_words);
}
