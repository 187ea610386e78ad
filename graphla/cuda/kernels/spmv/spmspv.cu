// SpMSpV by push:  w<M> = u' A,  u a sparse list.
//
// A list may hold several vectors, one after the other: key k is entry k % nrows of vector k / nrows, and its targets have
// the keys k / nrows * ncols + column.
//
// Work split: `spmspv`: a warp takes up to 32 entries of u and distributes their edges over its lanes by a prefix sum of
// the degrees. Rows of UNIT edges or more are queued and processed by `spmspv_long_rows`, an equal number of units of UNIT
// edges for each warp.
// Conflicts: a target is claimed once. Few edges (BITS = 0): a claim is the number of this call in `claimed`, set by
// atomicExch, and the claimer appends the target to the list. Many edges (BITS = 1): a claim is a bit, set by atomicOr;
// `claim_masked_out` claims beforehand what the mask excludes, and `list_claimed` makes the list from the bits, sorted
// within each warp's part. Values are combined in `accumulators` by the monoid's atomic; with ANY the claimer writes its own.
// Memory: reads u, the row offsets and columns, and the mask and the claim once an edge; writes one list. The accumulators
// are the identity before and after.
// Source: Merrill, Garland, Grimshaw, PPoPP 2012 (edge distribution); Yang, Buluc, Owens, TOMS 2022 (masks in the kernel).
// Defined before: Offset, Columns, Source, Index, Mask, MASK; ANY: any value will do; BITS; UNIT; the product.
#include "bits.cuh"
#include "spmv_multiply.cuh"
#include "mask.cuh"
#include "atomics.cuh"
#include "host_result.cuh"
#include "long_rows.cuh"
enum { EDGES_PER_LANE = UNIT / WARP };  // edges of a unit whose loads a lane issues together

struct Output {
  const Mask* mask_values;
  const u32* mask_bits;
  u32* claimed;
  u32 call_number;
  Word* accumulators;
  Index* keys;
  Z* values;
  u64* size;
};

// Fast check without an atomic: can this edge still change the target?
__device__ __forceinline__ bool is_open(const Output& w, i64 key) {
  if (ANY && BITS) return !(*(volatile u32*)&w.claimed[key >> 5] >> (key & 31) & 1);
  return mask_allows(w.mask_values, w.mask_bits, key) && !(ANY && *(volatile u32*)&w.claimed[key] == w.call_number);
}
// Claim the target; returns whether this thread is the first.
__device__ __forceinline__ bool claim(const Output& w, i64 key) {
  if (!BITS)
    return *(volatile u32*)&w.claimed[key] != w.call_number && atomicExch(&w.claimed[key], w.call_number) != w.call_number;
  u32 *word = &w.claimed[key >> 5], bit = 1u << (key & 31);
  return !(*(volatile u32*)word & bit) && !(atomicOr(word, bit) & bit);
}

// Add the product z to an open target.
__device__ __forceinline__ void add_product(const Output& w, i64 key, Z z) {
  bool is_first = claim(w, key);
  if (!ANY) atomic_accumulate(&w.accumulators[key], z);
  if (!is_first) return;
  if (BITS) {
    if (ANY) w.accumulators[key] = to_word(z);
    return;
  }
  i64 place = append(w.size);
  w.keys[place] = key;
  if (ANY) w.values[place] = z;
}

// The edges of short rows; long rows are queued if `queued` (counts of LongRows) is given. If u has fewer entries than
// there are lanes, they are spread over all warps.
extern "C" __global__ void spmspv(const u64* frontier_size, const Source* frontier_keys, const U* u_values, i64 nrows, i64 ncols,
                                  const Offset* row_offsets, const Columns* columns, const A* a_values, const Mask* mask_values,
                                  const u32* mask_bits, u32* claimed, u32 call_number, Word* accumulators, Index* w_keys, Z* w_values,
                                  u64* w_size, u64* host_words, i64* first_units, i64* queued_entries, u64* queued) {
  Output w = {mask_values, mask_bits, claimed, call_number, accumulators, w_keys, w_values, w_size};
  LongRows long_rows = {first_units, queued_entries, queued};
  i64 size = *frontier_size, share = min((i64)WARP, (size + warps() - 1) / warps());
  for (i64 base = warp() * share; base < size; base += warps() * share) {
    i64 k = base + lane(), begin = 0, degree = 0;
    bool has_entry = lane() < share && k < size;
    i64 key = has_entry ? frontier_keys[k] : 0, row = key % nrows, vector = key / nrows;
    if (has_entry) begin = row_offsets[row], degree = row_offsets[row + 1] - begin;
    if (queued && degree >= UNIT) long_rows.add(k, degree), degree = 0;
    i64 end = inclusive_scan(degree), total = from_lane(end, WARP - 1);
    for (i64 t = lane(); t < round_up_to_warps(total); t += WARP) {
      int owner = 0;  // the lane whose row has edge t: the first with end > t
      for (int step = WARP / 2; step; step /= 2)
        if (from_lane(end, owner + step - 1) <= t) owner += step;
      i64 first_edge = from_lane(end - degree, owner), row_begin = from_lane(begin, owner), owner_vector = from_lane(vector, owner),
          owner_row = from_lane(row, owner);
      if (t >= total) continue;
      i64 p = row_begin + t - first_edge, column = columns[p], target = owner_vector * ncols + column;
      if (is_open(w, target)) add_product(w, target, product(a_values, p, USES_U ? u_values[base + owner] : U(), owner_row, column, owner_vector));
    }
  }
  if (!BITS) publish_count(w_size, host_words);
}

// The edges of queued rows: each warp takes an equal number of consecutive units.
extern "C" __global__ void spmspv_long_rows(const u64* queued, const i64* first_units, const i64* queued_entries, const Source* frontier_keys,
                                            const U* u_values, i64 nrows, i64 ncols, const Offset* row_offsets, const Columns* columns,
                                            const A* a_values, const Mask* mask_values, const u32* mask_bits, u32* claimed, u32 call_number,
                                            Word* accumulators, Index* w_keys, Z* w_values, u64* w_size, u64* host_words) {
  Output w = {mask_values, mask_bits, claimed, call_number, accumulators, w_keys, w_values, w_size};
  i64 queue_size = *queued >> 32, units = (u32)*queued, share = (units + warps() - 1) / warps();
  i64 unit = warp() * share, end_unit = min(units, unit + share), r = 0;
  for (i64 after = queue_size; r + 1 < after && unit < end_unit;) {  // the queued row of the first unit
    i64 middle = (r + after) / 2;
    first_units[middle] <= unit ? r = middle : after = middle;
  }
  for (; unit < end_unit; r++) {
    i64 k = queued_entries[r], key = frontier_keys[k], row = key % nrows, vector = key / nrows, begin = row_offsets[row], end = row_offsets[row + 1];
    i64 first_unit = first_units[r], row_end_unit = min(end_unit, r + 1 < queue_size ? first_units[r + 1] : units);
    for (; unit < row_end_unit; unit++) {
      i64 column[EDGES_PER_LANE], p = begin + (unit - first_unit) * UNIT + lane();
      bool open[EDGES_PER_LANE];
#pragma unroll
      for (int t = 0; t < EDGES_PER_LANE; t++) column[t] = p + t * WARP < end ? (i64)columns[p + t * WARP] : -1;
#pragma unroll
      for (int t = 0; t < EDGES_PER_LANE; t++) open[t] = column[t] >= 0 && is_open(w, vector * ncols + column[t]);
#pragma unroll
      for (int t = 0; t < EDGES_PER_LANE; t++)
        if (open[t])
          add_product(w, vector * ncols + column[t], product(a_values, p + t * WARP, USES_U ? u_values[k] : U(), row, column[t], vector));
    }
  }
  if (!BITS) publish_count(w_size, host_words);
}

// Move the accumulators of the listed targets to the list's values; they become the identity again.
extern "C" __global__ void collect_accumulators(const u64* w_size, const Index* w_keys, Word* accumulators, Z* w_values) {
  for (i64 k = thread(); k < *w_size; k += threads()) {
    w_values[k] = from_word(accumulators[w_keys[k]]);
    accumulators[w_keys[k]] = to_word(Add::identity());
  }
}
extern "C" __global__ void clear_accumulators(i64 size, Word* accumulators) {
  for (i64 k = thread(); k < size; k += threads()) accumulators[k] = to_word(Add::identity());
}

// The bits of the positions in one word that the mask excludes.
__device__ __forceinline__ u32 masked_out_bits(i64 size, const Mask* mask_values, const u32* mask_bits, i64 word) {
  if (MASK == 0) return 0;
  u32 in_mask = 0;
  if (MASK % 2) in_mask = mask_bits ? mask_bits[word] : ~0u;
  else
    for (i64 i = word * 32; i < min(size, word * 32 + 32); i++) in_mask |= (u32)(has(mask_bits, i) && cast<bool>(mask_values[i])) << (i & 31);
  return MASK <= 2 ? ~in_mask : in_mask;
}
extern "C" __global__ void claim_masked_out(i64 words, i64 size, const Mask* mask_values, const u32* mask_bits, u32* claimed) {
  for (i64 k = thread(); k < words; k += threads()) claimed[k] = masked_out_bits(size, mask_values, mask_bits, k);
}

// List the claimed targets, WARP words of bits per warp at a time; the accumulators become the identity again.
extern "C" __global__ void list_claimed(i64 words, i64 size, const Mask* mask_values, const u32* mask_bits, const u32* claimed,
                                        Word* accumulators, Index* w_keys, Z* w_values, u64* w_size, u64* host_words) {
  for (i64 k = thread(); k < round_up_to_warps(words); k += threads()) {
    u32 word = k < words ? claimed[k] & ~masked_out_bits(size, mask_values, mask_bits, k) : 0;
    i64 end = inclusive_scan(__popc(word)), total = from_lane(end, WARP - 1), begin = 0;
    if (total == 0) continue;
    if (lane() == 0) begin = atomicAdd(w_size, (u64)total);
    begin = from_lane(begin, 0) + end - __popc(word);
    for (int t = 0; t < WARP; t++) {  // the whole warp writes the entries of lane t's word
      u32 owner_word = from_lane(word, t);
      i64 owner_begin = from_lane(begin, t), first_key = (k - lane() + t) * 32;
      for (int bit = lane(); bit < 32; bit += WARP) {
        if (!(owner_word >> bit & 1)) continue;
        i64 key = first_key + bit, place = owner_begin + __popc(owner_word & ((1u << bit) - 1));
        w_keys[place] = key;
        w_values[place] = from_word(accumulators[key]);
        if (!ANY) accumulators[key] = to_word(Add::identity());
      }
    }
  }
  publish_count(w_size, host_words);
}
