// Slices and words of the STAR-machine: Boolean operations, searches, counts, copies and sums of bit vectors.
//
// Position p, from 1, is bit (p - 1) % 64 of word (p - 1) / 64; bits beyond the last position are 0.
// Work split: a strided share of the words per thread; `add_words` is one block.
// Conflicts: results are combined by atomics in state[1]; the block that finishes last writes them and resets `state`.
// Memory: reads and writes each word once, BATCH loads in flight per thread. A result is {value, 1}.
#include "star_grid.cuh"
struct Not { static __device__ __forceinline__ u64 of(u64 x, u64) { return ~x; } };
struct And { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x & y; } };
struct Or { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x | y; } };
struct Xor { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x ^ y; } };
struct AndNot { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x & ~y; } };
struct Set { static __device__ __forceinline__ u64 of(u64, u64) { return ~0ULL; } };

template <class F> __device__ void map_words(i64 n, const u64* x, const u64* y, u64* z) {
  const int BATCH = 4;
  i64 words = (n + 63) / 64, i = thread();
  for (; i + (BATCH - 1) * threads() < words; i += BATCH * threads()) {
    u64 a[BATCH], b[BATCH];
    for (int k = 0; k < BATCH; k++) a[k] = x[i + k * threads()], b[k] = y[i + k * threads()];
    for (int k = 0; k < BATCH; k++) z[i + k * threads()] = F::of(a[k], b[k]) & ones(n, i + k * threads());
  }
  for (; i < words; i += threads()) z[i] = F::of(x[i], y[i]) & ones(n, i);
}

// z = op(x, y) on n bits; an operator of one operand gets any y.
extern "C" __global__ void bitwise(i64 op, i64 n, const u64* x, const u64* y, u64* z) {
  switch (op) {
    case 0: return map_words<Not>(n, x, y, z);
    case 1: return map_words<And>(n, x, y, z);
    case 2: return map_words<Or>(n, x, y, z);
    case 3: return map_words<Xor>(n, x, y, z);
    case 4: return map_words<AndNot>(n, x, y, z);
    case 5: return map_words<Set>(n, x, y, z);
  }
}

// NUMB: the number of ones.
extern "C" __global__ void count_ones(i64 words, const u64* x, u64* state, i64* result) {
  const int BATCH = 4;
  u64 sum = 0;
  i64 i = thread();
  for (; i + (BATCH - 1) * threads() < words; i += BATCH * threads()) {
    u64 a[BATCH];
    for (int k = 0; k < BATCH; k++) a[k] = x[i + k * threads()];
    for (int k = 0; k < BATCH; k++) sum += __popcll(a[k]);
  }
  for (; i < words; i += threads()) sum += __popcll(x[i]);
  sum = block_reduce<Sum>(sum);
  if (threadIdx.x == 0) atomicAdd(&state[1], sum);
  if (is_last_block(state) && threadIdx.x == 0) result[0] = load_volatile(&state[1]), result[1] = 1, state[1] = 0;
}

// The first 1 of x, or of x ^ y, by its bit number p; state[1] holds the largest ~p, so that 0 means none. A warp stops as soon
// as a bit before its words is known.
// wanted: FIND (FND) the position, 0 if none; STEP the same, and clear the bit; SOME whether there is one; otherwise whether
// the word x is less than (wanted & 1), equal to (2) or greater than (4) the word y.
enum { FIND = 0, STEP = 8, SOME = 16 };
extern "C" __global__ void find_first(i64 wanted, i64 words, u64* x, const u64* y, u64* state, i64* result) {
  for (i64 i = thread(); i < round_up_to_warps(words); i += threads()) {
    u64 bits = i < words ? x[i] ^ (y ? y[i] : 0) : 0;
    if (~from_lane(load_volatile(&state[1]), 0) < 64 * (i - lane())) break;
    u32 lanes = ballot(bits != 0);
    if (lanes) {
      if (lane() == __ffs(lanes) - 1) atomicMax(&state[1], ~(u64)(64 * i + lowest_bit(bits)));
      break;
    }
  }
  if (!is_last_block(state) || threadIdx.x) return;
  i64 p = ~load_volatile(&state[1]);  // -1: none
  state[1] = 0;
  i64 order = p < 0 ? 2 : y && y[p >> 6] >> (p & 63) & 1 ? 1 : 4;
  result[0] = wanted == SOME ? p >= 0 : wanted & 7 ? (wanted & order) != 0 : p + 1;
  result[1] = 1;
  if (wanted == STEP && p >= 0) x[p >> 6] &= ~(1ULL << (p & 63));
}

// FRST: a slice with a single 1, at *position; all 0 if that is 0.
extern "C" __global__ void single_one(i64 words, const i64* position, u64* z) {
  i64 p = *position - 1;
  for (i64 i = thread(); i < words; i += threads()) z[i] = p >= 0 && i == p >> 6 ? 1ULL << (p & 63) : 0;
}

// The 64 bits of x from bit p on, 0 outside of x.
__device__ u64 unaligned_word(const u64* x, i64 words, i64 p) {
  i64 w = p >> 6, r = p & 63;
  u64 low = w >= 0 && w < words ? x[w] : 0, high = r && w + 1 < words ? x[w + 1] : 0;
  return r ? low >> r | high << (64 - r) : low;
}

// z(target + 1 .. target + length) = x(source + 1 .. source + length)
extern "C" __global__ void copy_range(i64 length, const u64* x, i64 words, i64 source, u64* z, i64 target) {
  i64 first = target >> 6, last = (target + length - 1) >> 6;
  for (i64 i = first + thread(); i <= last; i += threads()) {
    u64 mask = ones(target + length, i);
    if (i == first) mask &= ~0ULL << (target & 63);
    z[i] = (z[i] & ~mask) | (unaligned_word(x, words, 64 * i - target + source) & mask);
  }
}

__device__ __forceinline__ u64 reverse_bits(u64 x) {
#ifdef SIMULATED
  u64 y = 0;
  for (int i = 0; i < 64; i++) y |= (x >> i & 1) << (63 - i);
  return y;
#else
  return __brevll(x);
#endif
}

// Add words begin..end-1 of x and of y (inverted if `flip` is ~0) with a carry, from the last word, which is the least
// significant, to the first; return the carry out. `all_ones`: the sums without the carry in are all ones, so that a carry in
// would be passed on.
template <bool WRITE>
__device__ bool ripple_add(i64 begin, i64 end, i64 n, u64 flip, const u64* x, const u64* y, u64* z, bool carry, bool* all_ones) {
  *all_ones = true;
  for (i64 i = end - 1; i >= begin; i--) {
    u64 a = reverse_bits(x[i]), sum = a + reverse_bits(y[i] ^ flip);
    bool overflows = sum < a;
    sum += carry;
    carry = overflows || sum < (u64)carry;
    *all_ones = *all_ones && sum == ~0ULL;
    if (WRITE) z[i] = reverse_bits(sum) & ones(n, i);
  }
  return carry;
}

// z = x + y, or x - y = x + ~y + 1, of words as numbers whose position 1 is the most significant. One block; each thread has a
// contiguous share of the words: it finds its carry out without a carry in, thread 0 passes the carries through the shares, and
// each thread adds again with its carry in.
extern "C" __global__ void add_words(i64 n, i64 subtract, const u64* x, const u64* y, u64* z) {
  __shared__ bool carries[1024], passes_carry[1024];
  if (blockIdx.x) return;
  i64 words = (n + 63) / 64, t = threadIdx.x, shares = blockDim.x, begin = words * t / shares, end = words * (t + 1) / shares;
  u64 flip = subtract ? ~0ULL : 0;
  bool all_ones;
  carries[t] = ripple_add<false>(begin, end, n, flip, x, y, z, false, &all_ones);
  passes_carry[t] = all_ones;
  __syncthreads();
  bool carry = subtract;
  if (t == 0)
    for (i64 k = shares - 1; k >= 0; k--) {  // the carry out of share k becomes the carry into it
      bool carry_out = carries[k] || (passes_carry[k] && carry);
      carries[k] = carry;
      carry = carry_out;
    }
  __syncthreads();
  ripple_add<true>(begin, end, n, flip, x, y, z, carries[t], &all_ones);
}

extern "C" __global__ void write_bit(i64 i, i64 bit, u64* x) {
  if (thread() == 0) x[i >> 6] = (x[i >> 6] & ~(1ULL << (i & 63))) | (u64)bit << (i & 63);
}
