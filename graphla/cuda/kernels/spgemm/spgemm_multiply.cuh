// The operands of C = A B by rows, and one product A(i,k) * B(k,j).
//
// A call defines Multiply and Add; AOffset, AIndex, AType; BOffset, Index, BType; MOffset, MIndex;
// A_READ, B_READ: 0 the value is not asked for, 1 one value for all entries, 2 a value for each.
typedef typename Add::Z Z;

struct Operands {
  const AOffset* ap; const AIndex* ai; const AType* ax;
  const BOffset* bp; const Index* bi; const BType* bx;
  const MOffset* mp; const MIndex* mi;
};

// The product of the entry at place p of A, which is (i, k), and that at place q of B, which is (k, j).
__device__ __forceinline__ Z product(const Operands& o, i64 p, i64 q, i64 i, i64 k, i64 j) {
  typename Multiply::X x = A_READ ? cast<typename Multiply::X>(o.ax[A_READ == 2 ? p : 0]) : typename Multiply::X();
  typename Multiply::Y y = B_READ ? cast<typename Multiply::Y>(o.bx[B_READ == 2 ? q : 0]) : typename Multiply::Y();
  return cast<Z>(Multiply::of(x, y, i, k, k, j));
}

// Visit (p, k, q, j) for all products of row i; `group` threads of `size` share a row of B.
template <class Visit>
__device__ __forceinline__ void products(const Operands& o, i64 i, int rank, int size, int group, Visit visit) {
  for (i64 p = o.ap[i] + rank / group; p < o.ap[i + 1]; p += size / group) {
    i64 k = o.ai[p], end = o.bp[k + 1];
    for (i64 q = o.bp[k] + rank % group; q < end; q += group) visit(p, k, q, (i64)o.bi[q]);
  }
}

// First place of the sorted list[begin..end) whose element is not below k.
template <class T> __device__ __forceinline__ i64 place(const T* list, i64 begin, i64 end, i64 k) {
  while (begin < end) {
    i64 middle = begin + (end - begin) / 2;
    if (list[middle] < k) begin = middle + 1;
    else end = middle;
  }
  return begin;
}
template <class T> __device__ __forceinline__ bool member(const T* list, i64 begin, i64 end, i64 k) {
  i64 at = place(list, begin, end, k);
  return at < end && list[at] == k;
}

// Whether the mask, searched, lets (i, j) through. MASK: 0 none, 1 its entries, 2 its complement.
template <int MASK> __device__ __forceinline__ bool open(const Operands& o, i64 i, i64 j) {
  return MASK == 0 || member(o.mi, o.mp[i], o.mp[i + 1], j) == (MASK == 1);
}
