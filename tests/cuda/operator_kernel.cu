// z = op(x, y) elementwise on dense arrays, for operator number `which` of OPERATORS.
// operator_kernel.py puts the operators' structs and the definitions of T and OPERATORS before this file.
#include "warp.cuh"
template <class Op> __device__ void unary(const T* x, void* z, i64 n) {
  for (i64 k = thread(); k < n; k += threads())
    ((typename Op::Z*)z)[k] = Op::of(cast<typename Op::X>(x[k]), k, 0);
}
template <class Op> __device__ void binary(const T* x, const T* y, void* z, i64 n) {
  for (i64 k = thread(); k < n; k += threads())
    ((typename Op::Z*)z)[k] = Op::of(cast<typename Op::X>(x[k]), cast<typename Op::Y>(y[k]), k, 0, k, 0);
}
template <class Op> __device__ void indexed(const T* x, const T* y, void* z, i64 n) {  // x is a matrix of 2 columns
  for (i64 k = thread(); k < n; k += threads())
    ((typename Op::Z*)z)[k] = Op::of(cast<typename Op::X>(x[k]), cast<typename Op::Y>(y[0]), k / 2, k % 2, 0, 0);
}
template <class Add> __device__ void reduce(const T* x, void* z, i64 n) {
  if (thread() != 0) return;
  typename Add::Z sum = Add::identity();
  for (i64 k = 0; k < n && !(Add::TERMINAL && Add::done(sum) && k); ++k) sum = Add::of(sum, cast<typename Add::Z>(x[k]));
  *(typename Add::Z*)z = sum;
}
#define UNARY(k) case k: unary<Op##k>(x, z, n); break;
#define BINARY(k) case k: binary<Op##k>(x, y, z, n); break;
#define INDEXED(k) case k: indexed<Op##k>(x, y, z, n); break;
#define REDUCE(k) case k: reduce<Op##k>(x, z, n); break;
extern "C" __global__ void apply_operator(const T* x, const T* y, void* z, i64 n, i64 which) {
  switch (which) { OPERATORS }
}
