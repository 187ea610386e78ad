// out(k) = op(...op(op(v0, v1), v2)...): the values of equal keys combined by a binary operator, in the order of input.
//
// Work split: one distinct key per thread, which reads its run of values in sequence, as op need not be associative.
// Conflicts: none.
// Memory: reads each value once, at order[p], the places of the input sorted by key; run k begins at run_starts[k].
#include "warp.cuh"
extern "C" __global__ void fold_duplicates(i64 distinct, i64 n, const Start* run_starts, const Order* order, const V* values, V* out) {
  for (i64 k = thread(); k < distinct; k += threads()) {
    i64 end = k + 1 < distinct ? (i64)run_starts[k + 1] : n;
    Op::Z z = cast<Op::Z>(values[order[run_starts[k]]]);
    for (i64 p = (i64)run_starts[k] + 1; p < end; ++p) {
      Op::Y y = cast<Op::Y>(values[order[p]]);
      z = Op::of(cast<Op::X>(z), y, 0, 0, 0, 0);
    }
    out[k] = cast<V>(z);
  }
}
