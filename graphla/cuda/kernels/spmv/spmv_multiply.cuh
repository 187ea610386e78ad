// One product of an entry A(i, k), stored at place p of its row, with the value u of the vector.
//
// The vector is a column where A u is asked for, and row `r` of a matrix where u' A is.
// A call defines FLIP: u' A instead of A u, and TRANSPOSED: what is stored are the rows of A'.
template <class Value> __device__ __forceinline__ Z product(const Value* a, i64 p, U u, i64 row, i64 column, i64 r = 0) {
  i64 i = TRANSPOSED ? column : row, k = TRANSPOSED ? row : column;
  typedef typename Multiply::X X;
  typedef typename Multiply::Y Y;
  if (FLIP) return Multiply::of(USES_U ? cast<X>(u) : X(), USES_A ? cast<Y>(a[A_ISO ? 0 : p]) : Y(), r, i, i, k);
  return Multiply::of(USES_A ? cast<X>(a[A_ISO ? 0 : p]) : X(), USES_U ? cast<Y>(u) : Y(), i, k, k, 0);
}
