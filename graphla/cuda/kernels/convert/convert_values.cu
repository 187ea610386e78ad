// Values of type S cast to V in one launch: a vector of one entry, one entry written, one value everywhere, a cast copy.
//
// Work split: one value, or one word of presence bits, per thread.
// Conflicts: none but the atomicOr of `write_entry`.
// Memory: writes each value and word of the output once.
#include "bits.cuh"
// The list {i: value}.
extern "C" __global__ void single_entry_list(i64 i, S value, Index* indices, V* values, u64* list_size) {
  if (thread() == 0) indices[0] = i, values[0] = cast<V>(value), *list_size = 1;
}
// The bitmap {i: value}; all words of `bits` are written.
extern "C" __global__ void single_entry_bitmap(i64 words, i64 i, S value, V* values, u32* bits) {
  for (i64 w = thread(); w < words; w += threads()) bits[w] = w == i >> 5 ? 1u << (i & 31) : 0;
  if (thread() == 0) values[i] = cast<V>(value);
}
// x(i) = value, x a bitmap or full.
extern "C" __global__ void write_entry(i64 i, S value, V* values, u32* bits) {
  if (thread()) return;
  values[i] = cast<V>(value);
  if (bits) set(bits, i);
}
// x(i) = value for all i < n.
extern "C" __global__ void fill_values(i64 n, S value, V* values) {
  V cast_value = cast<V>(value);
  for (i64 i = thread(); i < n; i += threads()) values[i] = cast_value;
}
// A copy of x, a bitmap or full.
extern "C" __global__ void convert_values(i64 n, i64 words, const S* x, const u32* x_bits, V* values, u32* bits) {
  for (i64 i = thread(); i < n; i += threads())
    if (has(x_bits, i)) values[i] = cast<V>(x[i]);
  if (x_bits)
    for (i64 w = thread(); w < words; w += threads()) bits[w] = x_bits[w];
}
