// C<M> = A B by dot products: for each entry (i, j) of the mask, row i of A meets row j of B'.
// Here `bp, bi, bx` are B' by rows. A call also defines POSITION (1 where values of A are read)
// and REDUCE. Three kernels, for three kinds of rows of A:
//
//   thin    a thread to an entry of the mask, the shorter row searched in the longer
//   search  the same by warps: rows that fit no set, or meet too few others to be worth one
//   wide    row i in shared memory (RowSet), the rows j walked through by warps
#include "warp.cuh"
#include "spgemm_multiply.cuh"
#include "hash_table.cuh"
#include "row_set.cuh"
#include "partial_sum.cuh"
enum { GROUP = WARP < 8 ? WARP : 8, ALONE = 8, RATIO = 32, PIECE = 1024, UNROLL = 4 };

// kind[i]: 0 nothing to do, 1 thin, 2 search, 3 wide. A row is thin up to `thin` entries, and
// worth a set from `few` entries of the mask on.
extern "C" __global__ void dot_classify(
    i64 n, i64 thin, i64 few, const AOffset* ap, const AIndex* ai, const MOffset* mp, u8* kind) {
  for (i64 i = thread(); i < n; i += threads()) {
    i64 begin = ap[i], end = ap[i + 1], length = end - begin, meets = mp[i + 1] - mp[i];
    bool fits = length <= LONGEST && (length <= TAIL || end - place(ai, begin, end, PREFIX) <= TAIL);
    kind[i] = !length || !meets ? 0 : length <= thin ? 1 : meets < few || !fits ? 2 : 3;
  }
}

// Sum over the entries of the row [s, s_end) of one operand that the longer row [t, t_end) of the
// other has too; every `step`-th of them. `A_SHORT`: the shorter row is A's.
template <bool A_SHORT>
__device__ __forceinline__ void meet(const Operands& o, i64 s, i64 s_end, i64 t, i64 t_end, int step, i64 i, i64 j, Total& total) {
  for (; s < s_end && t < t_end && !total.done(); s += step) {
    i64 k = A_SHORT ? (i64)o.ai[s] : (i64)o.bi[s];
    t = A_SHORT ? place(o.bi, t, t_end, k) : place(o.ai, t, t_end, k);
    if (t < t_end && (A_SHORT ? (i64)o.bi[t] : (i64)o.ai[t]) == k)
      total.add(A_SHORT ? product(o, s, t, i, k, j) : product(o, t, s, i, k, j));
  }
}
__device__ __forceinline__ void meet(const Operands& o, i64 i, i64 j, int first, int step, Total& total) {
  i64 a = o.ap[i], a_end = o.ap[i + 1], b = o.bp[j], b_end = o.bp[j + 1];
  if (a_end - a <= b_end - b) meet<true>(o, a + first, a_end, b, b_end, step, i, j, total);
  else meet<false>(o, b + first, b_end, a, a_end, step, i, j, total);
}

#define PARAMETERS \
  const AOffset *ap, const AIndex *ai, const AType *ax, const BOffset *bp, const Index *bi, const BType *bx, \
      const MOffset *mp, const MIndex *mi, u8 *hit, Z *values, u32 *some, Sum *all

// GROUP threads have PIECE entries of the mask at most, from first[u] on, in row rows[u].
extern "C" __global__ void dot_thread(const i64* rows, const i64* first, i64 units, PARAMETERS) {
  Operands o = {ap, ai, ax, bp, bi, bx, mp, mi};
  Total mine;
  for (i64 u = thread() / GROUP; u < units; u += threads() / GROUP) {
    i64 i = rows[u], end = min(first[u] + PIECE, (i64)mp[i + 1]);
    for (i64 m = first[u] + thread() % GROUP; m < end; m += GROUP) {
      Total total;
      meet(o, i, mi[m], 0, 1, total);
      if (REDUCE) mine.add(total);
      else total.write(m, hit, values);
    }
  }
  if (REDUCE) mine.write(some, all);
}

// A warp has a piece of the mask, as a group above.
extern "C" __global__ void dot_warp(const i64* rows, const i64* first, i64 units, PARAMETERS) {
  Operands o = {ap, ai, ax, bp, bi, bx, mp, mi};
  Total mine;
  for (i64 u = warp(); u < units; u += warps()) {
    i64 i = rows[u], end = min(first[u] + PIECE, (i64)mp[i + 1]), length = ap[i + 1] - ap[i];
    for (i64 m0 = first[u]; m0 < end; m0 += WARP) {
      i64 m = m0 + lane(), j = m < end ? (i64)mi[m] : -1;
      Total total;
      bool alone = j < 0 || min(length, (i64)(bp[j + 1] - bp[j])) <= WARP;
      if (alone && j >= 0) meet(o, i, j, 0, 1, total);
      for (u32 todo = ballot(!alone); todo; todo &= todo - 1) {
        int l = __ffs(todo) - 1;
        Total part;
        meet(o, i, from_lane(j, l), lane(), WARP, part);
        part = part.of_warp();
        if (lane() == l) total = part;
      }
      if (REDUCE) mine.add(total);
      else if (j >= 0) total.write(m, hit, values);
    }
  }
  if (REDUCE) mine.write(some, all);
}

// A block has a piece of the mask at a time, as a group above; next: 0 before.
extern "C" __global__ void __launch_bounds__(256) dot_block(const i64* rows, const i64* first, i64 units, u64* next, PARAMETERS) {
  __shared__ RowSet<AIndex> set;
  __shared__ i64 unit;
  Operands o = {ap, ai, ax, bp, bi, bx, mp, mi};
  Total mine;
  set.clear();
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) unit = atomicAdd(next, (u64)1);
    __syncthreads();
    i64 u = unit;
    if (u >= units) break;
    i64 i = rows[u], end = min(first[u] + PIECE, (i64)mp[i + 1]), a = ap[i];
    int length = ap[i + 1] - a;
    u32 capacity = set.add(ai + a, length);
    __syncthreads();
    for (i64 m0 = first[u]; m0 < end; m0 += blockDim.x) {
      i64 m = m0 + warp_interleaved_thread(), j = m < end ? (i64)mi[m] : -1;
      BOffset begin = j < 0 ? 0 : bp[j], stop = j < 0 ? 0 : bp[j + 1];
      Total total;
      bool alone = stop - begin <= ALONE;
      auto probe = [&](BOffset q, Index k, i64 column, Total& sum) {
        int t = set.find(k, capacity);
        if (t >= 0) sum.add(product(o, a + t, q, i, k, column));
      };
      if (alone)
        for (BOffset q = begin; q < stop && !total.done(); q++) probe(q, bi[q], j, total);
      for (u32 todo = ballot(!alone); todo; todo &= todo - 1) {
        int l = __ffs(todo) - 1;
        BOffset b = from_lane(begin, l), b_end = from_lane(stop, l);
        i64 column = from_lane(j, l);
        Total part;
        if ((b_end - b) / RATIO > length) {
          meet<true>(o, a + lane(), a + length, b, b_end, WARP, i, column, part);
        } else {
          for (BOffset rest = b_end - b; rest > 0 && !(Add::TERMINAL && ballot(part.done())); rest -= UNROLL * WARP) {
            Index k[UNROLL];  // all loads first: they are what a warp waits for
            for (int v = 0; v < UNROLL; v++) k[v] = v * WARP + lane() < rest ? bi[b + v * WARP + lane()] : -1;
            for (int v = 0; v < UNROLL; v++)
              if (k[v] >= 0) probe(b + v * WARP + lane(), k[v], column, part);
            b += UNROLL * WARP;
          }
        }
        if (REDUCE) {
          mine.add(part);
        } else {
          part = part.of_warp();
          if (lane() == l) total = part;
        }
      }
      if (REDUCE) mine.add(total);
      else if (j >= 0) total.write(m, hit, values);
    }
    __syncthreads();
    set.remove(ai + a, length, capacity);
  }
  if (REDUCE) mine.write(some, all);
}
