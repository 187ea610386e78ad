// w<M> = u' A for a list u: the edges that leave its entries, an equal share for each warp.
//
// Key k stands for row k % n of A, n x ncols, and its targets are k / n * ncols + column: a list of
// several vectors, one behind the other, is multiplied at once. A target is claimed by the first who reaches it. Where few
// edges are pushed, a claim is the number of this call, and the claimer appends the target to the result. Where many are
// (BITS), it is a bit: what the mask excludes is claimed before (`forbid`), and the result is made of the bits (`list`), in
// whose order it is but for the order of the warps. Values are combined in `sums`; where any one will do, it is the claimer's.
#include "bits.cuh"
#include "spmv_multiply.cuh"
#include "mask.cuh"
#include "atomics.cuh"
#include "host_result.cuh"
#include "long_rows.cuh"
enum { TOGETHER = UNIT / WARP };  // edges that a lane has under way; a call defines UNIT, those of its warp

struct Out {
  const Mask* m;
  const u32* mbits;
  u32* claims;
  u32 call;
  Word* sums;
  Index* keys;
  Z* values;
  u64* size;
};

// Whether a target can gain by one more edge, as far as a look tells.
__device__ __forceinline__ bool is_open(const Out& w, i64 key) {
  if (ANY && BITS) return !(*(volatile u32*)&w.claims[key >> 5] >> (key & 31) & 1);
  return mask_allows(w.m, w.mbits, key) && !(ANY && *(volatile u32*)&w.claims[key] == w.call);
}
__device__ __forceinline__ bool is_first(const Out& w, i64 key) {
  if (!BITS) return *(volatile u32*)&w.claims[key] != w.call && atomicExch(&w.claims[key], w.call) != w.call;
  u32 *word = &w.claims[key >> 5], bit = 1u << (key & 31);
  return !(*(volatile u32*)word & bit) && !(atomicOr(word, bit) & bit);
}

// An edge to an open target.
__device__ __forceinline__ void edge(const Out& w, i64 key, Z z) {
  bool first = is_first(w, key);
  if (!ANY) atomic_accumulate(&w.sums[key], z);
  if (!first) return;
  if (BITS) {
    if (ANY) w.sums[key] = to_word(z);
    return;
  }
  i64 place = append(w.size);
  w.keys[place] = key;
  if (ANY) w.values[place] = z;
}

// Few entries are dealt to all warps, at most one to a lane.
extern "C" __global__ void spmspv(const u64* count, const Source* keys, const U* u, i64 n, i64 ncols, const Offset* indptr, const Columns* indices,
                                const A* a, const Mask* m, const u32* mbits, u32* claims, u32 call, Word* sums, Index* out, Z* values,
                                u64* size, u64* host, i64* begins, i64* entries, u64* nlong) {
  Out w = {m, mbits, claims, call, sums, out, values, size};
  Long rows = {begins, entries, nlong};
  i64 many = *count, share = min((i64)WARP, (many + warps() - 1) / warps());
  for (i64 base = warp() * share; base < many; base += warps() * share) {
    i64 k = base + lane(), begin = 0, degree = 0;
    bool its_own = lane() < share && k < many;
    i64 key = its_own ? keys[k] : 0, row = key % n, vector = key / n;
    if (its_own) begin = indptr[row], degree = indptr[row + 1] - begin;
    if (nlong && degree >= UNIT) rows.add(k, degree), degree = 0;
    i64 end = inclusive_scan(degree), total = from_lane(end, WARP - 1);
    for (i64 t = lane(); t < round_up_to_warps(total); t += WARP) {
      int owner = 0;  // the first lane whose edges end behind t
      for (int step = WARP / 2; step; step /= 2)
        if (from_lane(end, owner + step - 1) <= t) owner += step;
      i64 start = from_lane(end - degree, owner), from = from_lane(begin, owner), its = from_lane(vector, owner), mine = from_lane(row, owner);
      if (t >= total) continue;
      i64 p = from + t - start, column = indices[p], target = its * ncols + column;
      if (is_open(w, target)) edge(w, target, product(a, p, USES_U ? u[base + owner] : U(), mine, column, its));
    }
  }
  if (!BITS) publish_count(size, host);
}

// The long rows: every warp takes as many units as any other, one after the other.
extern "C" __global__ void spmspv_long_rows(const u64* nlong, const i64* begins, const i64* entries, const Source* keys, const U* u, i64 n, i64 ncols,
                                 const Offset* indptr, const Columns* indices, const A* a, const Mask* m, const u32* mbits, u32* claims,
                                 u32 call, Word* sums, Index* out, Z* values, u64* size, u64* host) {
  Out w = {m, mbits, claims, call, sums, out, values, size};
  i64 nrows = *nlong >> 32, all = (u32)*nlong, share = (all + warps() - 1) / warps();
  i64 unit = warp() * share, last = min(all, unit + share), r = 0;
  for (i64 after = nrows; r + 1 < after && unit < last;) {  // the row of the first unit
    i64 middle = (r + after) / 2;
    begins[middle] <= unit ? r = middle : after = middle;
  }
  for (; unit < last; r++) {
    i64 k = entries[r], key = keys[k], row = key % n, vector = key / n, begin = indptr[row], end = indptr[row + 1];
    i64 first = begins[r], behind = min(last, r + 1 < nrows ? begins[r + 1] : all);
    for (; unit < behind; unit++) {
      i64 column[TOGETHER], p = begin + (unit - first) * UNIT + lane();
      bool open[TOGETHER];
#pragma unroll
      for (int t = 0; t < TOGETHER; t++) column[t] = p + t * WARP < end ? (i64)indices[p + t * WARP] : -1;
#pragma unroll
      for (int t = 0; t < TOGETHER; t++) open[t] = column[t] >= 0 && is_open(w, vector * ncols + column[t]);
#pragma unroll
      for (int t = 0; t < TOGETHER; t++)
        if (open[t])
          edge(w, vector * ncols + column[t], product(a, p + t * WARP, USES_U ? u[k] : U(), row, column[t], vector));
    }
  }
  if (!BITS) publish_count(size, host);
}

// The sums of what was claimed, which are left as they were found.
extern "C" __global__ void collect_accumulators(const u64* size, const Index* keys, Word* sums, Z* values) {
  for (i64 k = thread(); k < *size; k += threads()) {
    values[k] = from_word(sums[keys[k]]);
    sums[keys[k]] = to_word(Add::identity());
  }
}
extern "C" __global__ void clear_accumulators(i64 n, Word* sums) {
  for (i64 k = thread(); k < n; k += threads()) sums[k] = to_word(Add::identity());
}

// The bits of a word of positions that the mask excludes.
__device__ __forceinline__ u32 forbidden(i64 n, const Mask* m, const u32* mbits, i64 word) {
  if (MASK == 0) return 0;
  u32 found = 0;
  if (MASK % 2) found = mbits ? mbits[word] : ~0u;
  else
    for (i64 i = word * 32; i < min(n, word * 32 + 32); i++) found |= (u32)(has(mbits, i) && cast<bool>(m[i])) << (i & 31);
  return MASK <= 2 ? ~found : found;
}
extern "C" __global__ void claim_masked_out(i64 words, i64 n, const Mask* m, const u32* mbits, u32* claims) {
  for (i64 k = thread(); k < words; k += threads()) claims[k] = forbidden(n, m, mbits, k);
}

// The list of what was claimed, WARP words at a time; sums are left as they were found.
extern "C" __global__ void list_claimed(i64 words, i64 n, const Mask* m, const u32* mbits, const u32* claims, Word* sums, Index* keys, Z* values,
                                u64* size, u64* host) {
  for (i64 k = thread(); k < round_up_to_warps(words); k += threads()) {
    u32 word = k < words ? claims[k] & ~forbidden(n, m, mbits, k) : 0;
    i64 behind = inclusive_scan(__popc(word)), total = from_lane(behind, WARP - 1), begin = 0;
    if (total == 0) continue;
    if (lane() == 0) begin = atomicAdd(size, (u64)total);
    begin = from_lane(begin, 0) + behind - __popc(word);
    for (int t = 0; t < WARP; t++) {
      u32 its = from_lane(word, t);
      i64 place = from_lane(begin, t), first = (k - lane() + t) * 32;
      for (int bit = lane(); bit < 32; bit += WARP) {
        if (!(its >> bit & 1)) continue;
        i64 key = first + bit, at = place + __popc(its & ((1u << bit) - 1));
        keys[at] = key;
        values[at] = from_word(sums[key]);
        if (!ANY) sums[key] = to_word(Add::identity());
      }
    }
  }
  publish_count(size, host);
}
