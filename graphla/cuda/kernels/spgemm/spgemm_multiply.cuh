// The operands of C<M> = A B in compressed sparse rows, and one product A(i,k) * B(k,j).
//
// Provides Operands, product, for_each_product, lower_bound, contains, mask_allows.
// Defined before: Multiply, Add; AOffset, AIndex, AType; BOffset, Index, BType; MOffset, MIndex (types of the arrays);
// A_READ, B_READ: how values are read: 0 not at all, 1 one value for all entries, 2 a value for each.
typedef typename Add::Z Z;

struct Operands {
  const AOffset* a_offsets; const AIndex* a_columns; const AType* a_values;
  const BOffset* b_offsets; const Index* b_columns; const BType* b_values;
  const MOffset* mask_offsets; const MIndex* mask_columns;
};

// The product of A(i,k), which is entry p of A, and B(k,j), which is entry q of B.
__device__ __forceinline__ Z product(const Operands& operands, i64 p, i64 q, i64 i, i64 k, i64 j) {
  typename Multiply::X x = A_READ ? cast<typename Multiply::X>(operands.a_values[A_READ == 2 ? p : 0]) : typename Multiply::X();
  typename Multiply::Y y = B_READ ? cast<typename Multiply::Y>(operands.b_values[B_READ == 2 ? q : 0]) : typename Multiply::Y();
  return cast<Z>(Multiply::of(x, y, i, k, k, j));
}

// Call visit(p, k, q, j) for all products of row i. The row is shared by `team_size` threads; this one is number
// `rank`. Each group of `group_size` threads reads one row of B at a time.
template <class Visit>
__device__ __forceinline__ void for_each_product(const Operands& operands, i64 i, int rank, int team_size, int group_size, Visit visit) {
  for (i64 p = operands.a_offsets[i] + rank / group_size; p < operands.a_offsets[i + 1]; p += team_size / group_size) {
    i64 k = operands.a_columns[p], end = operands.b_offsets[k + 1];
    for (i64 q = operands.b_offsets[k] + rank % group_size; q < end; q += group_size) visit(p, k, q, (i64)operands.b_columns[q]);
  }
}

// The first place in the sorted list[begin..end) whose element is not less than `key`.
template <class T> __device__ __forceinline__ i64 lower_bound(const T* list, i64 begin, i64 end, i64 key) {
  while (begin < end) {
    i64 middle = begin + (end - begin) / 2;
    if (list[middle] < key) begin = middle + 1;
    else end = middle;
  }
  return begin;
}
template <class T> __device__ __forceinline__ bool contains(const T* list, i64 begin, i64 end, i64 key) {
  i64 place = lower_bound(list, begin, end, key);
  return place < end && list[place] == key;
}

// Whether the mask allows (i, j), by binary search in its row i. MASK: 0 none, 1 structural, 2 complemented structural.
template <int MASK> __device__ __forceinline__ bool mask_allows(const Operands& operands, i64 i, i64 j) {
  return MASK == 0 || contains(operands.mask_columns, operands.mask_offsets[i], operands.mask_offsets[i + 1], j) == (MASK == 1);
}
