// w<M> = u' A for a list u: the edges that leave its entries, an equal share for each lane of a warp.
//
// Key k stands for row k % n of A, n x ncols, and its targets are k / n * ncols + column: a list of
// several vectors, one behind the other, is multiplied at once. A target is claimed by the first who writes the number of
// this call to it. Where any value will do, the claimer's is it; else values are combined in `sums`.
#include "bits.cuh"
#include "multiply.cuh"
#include "mask.cuh"
#include "atomics.cuh"
#include "tell.cuh"
enum { BIG = 1024 };  // edges of a row that several warps share, so many at a time

struct Out {
  const Mask* m;
  const u32* mbits;
  i32* claims;
  i32 call;
  Word* sums;
  Index* keys;
  Z* values;
  u64* size;
};

__device__ __forceinline__ void edge(const Out& w, i64 vector, i64 ncols, i64 row, i64 k, i64 p, const Columns* indices, const A* a, const U* u) {
  i64 column = indices[p], key = vector * ncols + column;
  if (!allowed(w.m, w.mbits, key)) return;
  bool first = *(volatile i32*)&w.claims[key] != w.call && atomicExch(&w.claims[key], w.call) != w.call;
  if (!ANY) combine(&w.sums[key], product(a, p, USES_U ? u[k] : U(), row, column, vector));
  if (!first) return;
  i64 place = append(w.size);
  w.keys[place] = key;
  if (ANY) w.values[place] = product(a, p, USES_U ? u[k] : U(), row, column, vector);
}

// A row of BIG edges and more becomes pieces (entry, number of the piece) for `pieces`.
extern "C" __global__ void push(const u64* count, const Source* keys, const U* u, i64 n, i64 ncols, const Offset* indptr, const Columns* indices,
                                const A* a, const Mask* m, const u32* mbits, i32* claims, i32 call, Word* sums, Index* out, Z* values,
                                u64* size, u64* host, i64* big, u64* nbig) {
  Out w = {m, mbits, claims, call, sums, out, values, size};
  for (i64 k = thread(); k < whole_warps(*count); k += threads()) {
    i64 key = k < *count ? keys[k] : 0, row = key % n, vector = key / n;
    i64 begin = 0, degree = 0;
    if (k < *count) begin = indptr[row], degree = indptr[row + 1] - begin;
    if (big && degree >= BIG) {
      i64 pieces = (degree + BIG - 1) / BIG, place = atomicAdd(nbig, (u64)pieces);
      for (i64 piece = 0; piece < pieces; piece++) big[2 * (place + piece)] = k, big[2 * (place + piece) + 1] = piece;
      degree = 0;
    }
    i64 end = inclusive_scan(degree), total = from_lane(end, WARP - 1);
    for (i64 t = lane(); t < whole_warps(total); t += WARP) {
      int owner = 0;  // the first lane whose edges end behind t
      for (int step = WARP / 2; step; step /= 2)
        if (from_lane(end, owner + step - 1) <= t) owner += step;
      i64 start = from_lane(end - degree, owner), from = from_lane(begin, owner), its = from_lane(vector, owner), mine = from_lane(row, owner);
      if (t < total) edge(w, its, ncols, mine, k - lane() + owner, from + t - start, indices, a, u);
    }
  }
  tell_count(size, host);
}

extern "C" __global__ void pieces(const u64* nbig, const i64* big, const Source* keys, const U* u, i64 n, i64 ncols, const Offset* indptr,
                                  const Columns* indices, const A* a, const Mask* m, const u32* mbits, i32* claims, i32 call, Word* sums,
                                  Index* out, Z* values, u64* size, u64* host) {
  Out w = {m, mbits, claims, call, sums, out, values, size};
  for (i64 b = warp(); b < *nbig; b += warps()) {
    i64 k = big[2 * b], key = keys[k], row = key % n, begin = indptr[row] + big[2 * b + 1] * BIG;
    i64 end = min((i64)indptr[row + 1], begin + BIG);
    for (i64 p = begin + lane(); p < end; p += WARP) edge(w, key / n, ncols, row, k, p, indices, a, u);
  }
  tell_count(size, host);
}

// The sums of what was claimed, which are left as they were found.
extern "C" __global__ void collect(const u64* size, const Index* keys, Word* sums, Z* values) {
  for (i64 k = thread(); k < *size; k += threads()) {
    values[k] = unpacked(sums[keys[k]]);
    sums[keys[k]] = packed(Add::identity());
  }
}
extern "C" __global__ void clear_sums(i64 n, Word* sums) {
  for (i64 k = thread(); k < n; k += threads()) sums[k] = packed(Add::identity());
}
