// Rows of C = A B that are too long for shared memory. Each of n rows has a hash table of its own
// in device memory, and all warps work on all rows: a warp takes an entry A(i,k) and walks row k of B.
//
// starts[r]: where the entries of row rows[r] of A begin when those rows stand one after another;
// tables[r]: where its table begins; each has 2^t places, 4096 or more.
#include "warp.cuh"
#include "spgemm_multiply.cuh"
#include "hash_table.cuh"
typedef typename Word<sizeof(Index)>::T Key;
#define FREE (~(Key)0)
enum { CHUNK = 4096 };

// Row whose range of the sorted `starts` (n + 1 of them) holds t.
__device__ __forceinline__ i64 owner(const i64* starts, i64 n, i64 t) { return place(starts, 0, n, t + 1) - 1; }

// Visit (r, p, q, i, k, j) for the products of all rows; `after(r)` once a warp has done an entry.
template <class Visit, class After>
__device__ __forceinline__ void sweep(const Operands& o, const i64* rows, i64 n, const i64* starts, Visit visit, After after) {
  for (i64 t = warp(); t < starts[n]; t += warps()) {
    i64 r = owner(starts, n, t), i = rows[r], p = o.ap[i] + (t - starts[r]), k = o.ai[p], end = o.bp[k + 1];
    for (i64 q = o.bp[k] + lane(); q < end; q += WARP) {
      i64 j = o.bi[q];
      if (open<MASK>(o, i, j)) visit(r, p, q, i, k, j);
    }
    after(r);
  }
}

extern "C" __global__ void hash_global_clear(i64 places, Key* keys, Sum* sums) {
  for (i64 s = thread(); s < places; s += threads()) {
    keys[s] = FREE;
    sums[s] = pack(Add::identity());
  }
}

// Whether j is new in a table, or in a bit for each column where that takes no more room: 1 if free.
__device__ __forceinline__ bool first(Key* keys, i64 places, i64 ncols, i64 j) {
  const int BITS = 8 * sizeof(Key);
  bool fresh;
  if (places * BITS < ncols) {
    insert(keys, places, (Key)j, fresh);
  } else {
    Key bit = (Key)1 << (j % BITS), *word = &keys[j / BITS];
    fresh = *(volatile Key*)word & bit && atomicAnd(word, ~bit) & bit;
  }
  return fresh;
}

// found[r]: number of entries of the row, 0 before; the keys are all ~0 before.
extern "C" __global__ void hash_global_count(
    const i64* rows, i64 n, i64 ncols, const i64* starts, const i64* tables, const AOffset* ap, const AIndex* ai,
    const BOffset* bp, const Index* bi, const MOffset* mp, const MIndex* mi, Key* keys, u64* found) {
  Operands o = {ap, ai, nullptr, bp, bi, nullptr, mp, mi};
  u32 mine = 0;
  sweep(o, rows, n, starts,
    [&](i64 r, i64 p, i64 q, i64 i, i64 k, i64 j) {
      mine += first(keys + tables[r], tables[r + 1] - tables[r], ncols, j);
    },
    [&](i64 r) {
      if (mine) atomicAdd(&found[r], (u64)mine);
      mine = 0;
    });
}

extern "C" __global__ void hash_global_fill(
    const i64* rows, i64 n, const i64* starts, const i64* tables, const AOffset* ap, const AIndex* ai,
    const AType* ax, const BOffset* bp, const Index* bi, const BType* bx, const MOffset* mp, const MIndex* mi,
    Key* keys, Sum* sums) {
  Operands o = {ap, ai, ax, bp, bi, bx, mp, mi};
  sweep(o, rows, n, starts,
    [&](i64 r, i64 p, i64 q, i64 i, i64 k, i64 j) {
      bool fresh;
      u32 s = insert(keys + tables[r], tables[r + 1] - tables[r], (Key)j, fresh);
      accumulate(&sums[tables[r] + s], product(o, p, q, i, k, j));
    },
    [](i64 r) {});
}

// List the entries of the tables, row r from lists[r] on: their order (r, column) as one
// number r << shift | column, and their values. used[r]: 0 before.
extern "C" __global__ void hash_global_list(
    i64 n, const i64* tables, const Key* keys, const Sum* sums, const i64* lists, i64 shift, u64* used, i64* order, Z* values) {
  for (i64 first = (i64)blockIdx.x * CHUNK; first < tables[n]; first += (i64)gridDim.x * CHUNK) {
    i64 r = owner(tables, n, first);
    for (int s = threadIdx.x; s < CHUNK; s += blockDim.x) {
      Key k = keys[first + s];
      if (k == FREE) continue;
      i64 at = lists[r] + append(&used[r]);
      order[at] = r << shift | (i64)k;
      values[at] = unpack(sums[first + s]);
    }
  }
}

// Write the entries, sorted by (r, column): `from` sorts order and values.
extern "C" __global__ void hash_global_write(
    i64 entries, const i64* from, const i64* order, const Z* values, const i64* lists, i64 shift, const i64* rows,
    const COffset* cp, Index* ci, Z* cx) {
  for (i64 t = thread(); t < entries; t += threads()) {
    i64 at = from[t], r = order[at] >> shift, c = cp[rows[r]] + (t - lists[r]);
    ci[c] = order[at] & ((1LL << shift) - 1);
    cx[c] = values[at];
  }
}
