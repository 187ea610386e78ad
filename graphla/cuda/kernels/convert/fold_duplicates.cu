// One value for each run of equal keys: the run's values over an operator, in the order of input.
#include "warp.cuh"
extern "C" __global__ void fold_duplicates(i64 distinct, i64 n, const Start* starts, const Order* order, const V* values, V* out) {
  for (i64 k = thread(); k < distinct; k += threads()) {
    i64 end = k + 1 < distinct ? (i64)starts[k + 1] : n;
    Op::Z z = cast<Op::Z>(values[order[starts[k]]]);
    for (i64 p = (i64)starts[k] + 1; p < end; ++p) {
      Op::Y y = cast<Op::Y>(values[order[p]]);
      z = Op::of(cast<Op::X>(z), y, 0, 0, 0, 0);
    }
    out[k] = cast<V>(z);
  }
}
