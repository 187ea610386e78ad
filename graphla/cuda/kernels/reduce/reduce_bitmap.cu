// Sums over a monoid in a bitmap or full array of count rows of n: of each CHUNK entries in a row,
// or of each column.
#include "bits.cuh"
#include "monoid.cuh"
enum { CHUNK = 1024 };
extern "C" __global__ void reduce_rows(i64 count, i64 n, const X* x, const u32* bits, Z* out, u32* outbits) {
  i64 chunks = (n + CHUNK - 1) / CHUNK;
  for (i64 t = warp(); t < count * chunks; t += warps()) {
    i64 row = t / chunks, begin = t % chunks * CHUNK, end = min(n, begin + CHUNK);
    bool any = false;
    Z z = Add::identity();
    for (i64 j = begin + lane(); j < end; j += WARP)
      if (has(bits, row * n + j)) accumulate(any, z, cast<Z>(x[row * n + j]));
    warp_sum(any, z);
    if (lane() == 0 && any) out[t] = z, set(outbits, t);
  }
}

extern "C" __global__ void reduce_columns(i64 count, i64 n, const X* x, const u32* bits, Z* out, u32* outbits) {
  for (i64 j = thread(); j < round_up_to_warps(n); j += threads()) {
    bool any = false;
    Z z = Add::identity();
    for (i64 row = 0; j < n && row < count && !(any && Add::done(z)); row++)
      if (has(bits, row * n + j)) accumulate(any, z, cast<Z>(x[row * n + j]));
    if (any) out[j] = z;
    store_bit(outbits, j, any);
  }
}
