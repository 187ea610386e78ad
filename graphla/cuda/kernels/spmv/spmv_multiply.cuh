// One product of A u (or of u' A): of a stored entry of the matrix and an entry of the vector.
//
// Defined before: Multiply, types A (values of the matrix) and U (of the vector); FLIP: u' A instead of A u; TRANSPOSED:
// the stored rows are those of A'; A_ISO: all entries have one value; USES_A, USES_U: whether values are read.
// `p` is the place of the entry, (row, column) its position in the stored rows. For u' A, u may be row `vector` of a matrix.
template <class Value> __device__ __forceinline__ Z product(const Value* a_values, i64 p, U u, i64 row, i64 column, i64 vector = 0) {
  i64 i = TRANSPOSED ? column : row, k = TRANSPOSED ? row : column;
  typedef typename Multiply::X X;
  typedef typename Multiply::Y Y;
  if (FLIP) return Multiply::of(USES_U ? cast<X>(u) : X(), USES_A ? cast<Y>(a_values[A_ISO ? 0 : p]) : Y(), vector, i, i, k);
  return Multiply::of(USES_A ? cast<X>(a_values[A_ISO ? 0 : p]) : X(), USES_U ? cast<Y>(u) : Y(), i, k, k, 0);
}
