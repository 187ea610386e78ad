// Values of one type as those of another: one entry, one value everywhere, those of a bitmap or full array.
#include "bits.cuh"
extern "C" __global__ void single_entry_list(i64 i, S value, Index* keys, V* x, u64* count) {
  if (thread() == 0) keys[0] = i, x[0] = cast<V>(value), *count = 1;
}
extern "C" __global__ void single_entry_bitmap(i64 words, i64 i, S value, V* x, u32* bits) {
  for (i64 w = thread(); w < words; w += threads()) bits[w] = w == i >> 5 ? 1u << (i & 31) : 0;
  if (thread() == 0) x[i] = cast<V>(value);
}
extern "C" __global__ void write_entry(i64 i, S value, V* x, u32* bits) {
  if (thread()) return;
  x[i] = cast<V>(value);
  if (bits) set(bits, i);
}
extern "C" __global__ void fill_values(i64 n, S value, V* x) {
  V its = cast<V>(value);
  for (i64 i = thread(); i < n; i += threads()) x[i] = its;
}
extern "C" __global__ void convert_values(i64 n, i64 words, const S* x, const u32* bits, V* out, u32* outbits) {
  for (i64 i = thread(); i < n; i += threads())
    if (has(bits, i)) out[i] = cast<V>(x[i]);
  if (bits)
    for (i64 w = thread(); w < words; w += threads()) outbits[w] = bits[w];
}
