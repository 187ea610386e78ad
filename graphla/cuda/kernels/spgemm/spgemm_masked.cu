// C<M> = A B by Gustavson's method, all by rows, of which only what the mask lets through is
// computed. A call also defines REDUCE, and POSITION as 1. Two kernels, for two kinds of rows:
//
//   thin    a thread to an entry (i, j) of the mask: j is searched in the rows k of B
//   wide    a piece of the mask's row in shared memory (RowSet), with a sum for each of its
//           entries; the rows k of B are walked through by warps
#include "warp.cuh"
#include "spgemm_multiply.cuh"
#include "hash_table.cuh"
#include "row_set.cuh"
#include "partial_sum.cuh"
enum { GROUP = WARP < 8 ? WARP : 8, ALONE = 8, RATIO = 32, PIECE = TAIL, UNROLL = 4 };
enum { SET = 4096 };  // products that are read in the time that a set takes

// kind[i]: 0 nothing to do, 1 thin, 2 wide. work[i]: number of products of the unmasked row;
// a search in a row of B costs as much as `search` products read one after another.
extern "C" __global__ void masked_classify(
    i64 n, i64 search, const AOffset* ap, const MOffset* mp, const i64* work, u8* kind) {
  for (i64 i = thread(); i < n; i += threads()) {
    i64 length = ap[i + 1] - ap[i], meets = mp[i + 1] - mp[i];
    bool thin = length <= 256 && length * meets * search <= max(work[i], (i64)SET);
    kind[i] = !work[i] || !meets ? 0 : thin ? 1 : 2;
  }
}

#define PARAMETERS \
  const AOffset *ap, const AIndex *ai, const AType *ax, const BOffset *bp, const Index *bi, const BType *bx, \
      const MOffset *mp, const MIndex *mi, u8 *hit, Z *values, u32 *some, Sum *all

// GROUP threads have PIECE entries of the mask at most, from first[u] on, in row rows[u].
extern "C" __global__ void masked_thread(const i64* rows, const i64* first, i64 units, PARAMETERS) {
  Operands o = {ap, ai, ax, bp, bi, bx, mp, mi};
  Total mine;
  for (i64 u = thread() / GROUP; u < units; u += threads() / GROUP) {
    i64 i = rows[u], end = min(first[u] + PIECE, (i64)mp[i + 1]);
    for (i64 m = first[u] + thread() % GROUP; m < end; m += GROUP) {
      i64 j = mi[m];
      Total total;
      for (i64 p = ap[i]; p < ap[i + 1] && !total.done(); p++) {
        i64 k = ai[p], b_end = bp[k + 1], q = place(bi, bp[k], b_end, j);
        if (q < b_end && bi[q] == j) total.add(product(o, p, q, i, k, j));
      }
      if (REDUCE) mine.add(total);
      else total.write(m, hit, values);
    }
  }
  if (REDUCE) mine.write(some, all);
}

// A block has a piece of the mask, as a group above; next: 0 before.
extern "C" __global__ void __launch_bounds__(256) masked_block(const i64* rows, const i64* first, i64 units, u64* next, PARAMETERS) {
  __shared__ RowSet<MIndex> set;
  __shared__ Sum sums[REDUCE ? 1 : PIECE];
  __shared__ u32 touched[REDUCE ? 1 : PIECE / 32];
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
    i64 i = rows[u], m = first[u], low = mi[m];
    int length = min(m + PIECE, (i64)mp[i + 1]) - m;
    i64 high = mi[m + length - 1];
    bool whole = m == mp[i] && m + length == mp[i + 1];
    u32 capacity = set.add(mi + m, length);
    if (!REDUCE) {
      for (int t = threadIdx.x; t < length; t += blockDim.x) sums[t] = pack(Add::identity());
      for (int t = threadIdx.x; t < PIECE / 32; t += blockDim.x) touched[t] = 0;
    }
    __syncthreads();
    auto put = [&](int t, i64 p, i64 q, i64 k, i64 j) {
      Z z = product(o, p, q, i, k, j);
      if (REDUCE) {
        mine.add(z);
      } else {
        accumulate(&sums[t], z);
        u32 bit = 1u << (t & 31);
        if (!(*(volatile u32*)&touched[t >> 5] & bit)) atomicOr(&touched[t >> 5], bit);
      }
    };
    i64 a_end = ap[i + 1];
    for (i64 p0 = ap[i]; p0 < a_end; p0 += blockDim.x) {
      i64 p = p0 + warp_interleaved_thread(), k = p < a_end ? (i64)ai[p] : -1;
      BOffset begin = k < 0 ? 0 : bp[k], stop = k < 0 ? 0 : bp[k + 1];
      if (!whole && begin < stop) {
        begin = place(bi, begin, stop, low);
        stop = place(bi, begin, stop, high + 1);
      }
      auto probe = [&](i64 p, BOffset q, Index j, i64 k) {
        int t = set.find(j, capacity);
        if (t >= 0) put(t, p, q, k, j);
      };
      bool alone = stop - begin <= ALONE;
      if (alone)
        for (BOffset q = begin; q < stop; q++) probe(p, q, bi[q], k);
      for (u32 todo = ballot(!alone); todo; todo &= todo - 1) {
        int l = __ffs(todo) - 1;
        BOffset b = from_lane(begin, l), b_end = from_lane(stop, l);
        i64 row = from_lane(k, l), place_a = from_lane(p, l);
        if ((b_end - b) / RATIO > length) {
          for (int t = lane(); t < length; t += WARP) {
            i64 j = mi[m + t], q = place(bi, (i64)b, (i64)b_end, j);
            if (q < b_end && bi[q] == j) put(t, place_a, q, row, j);
          }
        } else {
          for (BOffset rest = b_end - b; rest > 0; rest -= UNROLL * WARP) {
            Index j[UNROLL];  // all loads first: they are what a warp waits for
            for (int v = 0; v < UNROLL; v++) j[v] = v * WARP + lane() < rest ? bi[b + v * WARP + lane()] : -1;
            for (int v = 0; v < UNROLL; v++)
              if (j[v] >= 0) probe(place_a, b + v * WARP + lane(), j[v], row);
            b += UNROLL * WARP;
          }
        }
      }
    }
    __syncthreads();
    if (!REDUCE)
      for (int t = threadIdx.x; t < length; t += blockDim.x) {
        hit[m + t] = touched[t >> 5] >> (t & 31) & 1;
        values[m + t] = unpack(sums[t]);
      }
    set.remove(mi + m, length, capacity);
  }
  if (REDUCE) mine.write(some, all);
}
