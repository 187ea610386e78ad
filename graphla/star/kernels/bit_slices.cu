// Slices and words: position p is bit (p - 1) % 64 of word (p - 1) / 64; beyond the last all are 0.
#include "star_grid.cuh"
struct Not { static __device__ __forceinline__ u64 of(u64 x, u64) { return ~x; } };
struct And { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x & y; } };
struct Or { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x | y; } };
struct Xor { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x ^ y; } };
struct AndNot { static __device__ __forceinline__ u64 of(u64 x, u64 y) { return x & ~y; } };
struct Set { static __device__ __forceinline__ u64 of(u64, u64) { return ~0ULL; } };

template <class F> __device__ void map(i64 n, const u64* x, const u64* y, u64* z) {
  const int MANY = 4;  // loads under way
  i64 words = (n + 63) / 64, i = thread();
  for (; i + (MANY - 1) * threads() < words; i += MANY * threads()) {
    u64 a[MANY], b[MANY];
    for (int m = 0; m < MANY; m++) a[m] = x[i + m * threads()], b[m] = y[i + m * threads()];
    for (int m = 0; m < MANY; m++) z[i + m * threads()] = F::of(a[m], b[m]) & ones(n, i + m * threads());
  }
  for (; i < words; i += threads()) z[i] = F::of(x[i], y[i]) & ones(n, i);
}

extern "C" __global__ void bitwise(i64 op, i64 n, const u64* x, const u64* y, u64* z) {
  switch (op) {
    case 0: return map<Not>(n, x, y, z);
    case 1: return map<And>(n, x, y, z);
    case 2: return map<Or>(n, x, y, z);
    case 3: return map<Xor>(n, x, y, z);
    case 4: return map<AndNot>(n, x, y, z);
    case 5: return map<Set>(n, x, y, z);
  }
}

// NUMB: how many bits are set.
extern "C" __global__ void count_ones(i64 words, const u64* x, u64* state, i64* result) {
  const int MANY = 4;
  u64 sum = 0;
  i64 i = thread();
  for (; i + (MANY - 1) * threads() < words; i += MANY * threads()) {
    u64 a[MANY];
    for (int m = 0; m < MANY; m++) a[m] = x[i + m * threads()];
    for (int m = 0; m < MANY; m++) sum += __popcll(a[m]);
  }
  for (; i < words; i += threads()) sum += __popcll(x[i]);
  sum = of_block<Sum>(sum);
  if (threadIdx.x == 0) atomicAdd(&state[1], sum);
  if (last_block(state) && threadIdx.x == 0) result[0] = now(&state[1]), result[1] = 1, state[1] = 0;
}

// The first 1 of x, or of x ^ y: FND its position (0: none), STEP clears it as well, SOME whether there is
// one; wanted & 7 asks whether the word x is less (1), equal (2) or greater (4) than y.
enum { FIND = 0, STEP = 8, SOME = 16 };
extern "C" __global__ void find_first(i64 wanted, i64 words, u64* x, const u64* y, u64* state, i64* result) {
  for (i64 i = thread(); i < round_up_to_warps(words); i += threads()) {
    u64 a = i < words ? x[i] ^ (y ? y[i] : 0) : 0;
    if (~from_lane(now(&state[1]), 0) < 64 * (i - lane())) break;  // another has found one before
    u32 who = ballot(a != 0);
    if (who) {
      if (lane() == __ffs(who) - 1) atomicMax(&state[1], ~(u64)(64 * i + lowest(a)));
      break;
    }
  }
  if (!last_block(state) || threadIdx.x) return;
  i64 p = ~now(&state[1]);  // -1: none
  state[1] = 0;
  i64 outcome = p < 0 ? 2 : y && y[p >> 6] >> (p & 63) & 1 ? 1 : 4;
  result[0] = wanted == SOME ? p >= 0 : wanted & 7 ? (wanted & outcome) != 0 : p + 1;
  result[1] = 1;
  if (wanted == STEP && p >= 0) x[p >> 6] &= ~(1ULL << (p & 63));
}

// A slice with no other 1 than the one at the position found.
extern "C" __global__ void single_one(i64 words, const i64* found, u64* z) {
  i64 p = *found - 1;
  for (i64 i = thread(); i < words; i += threads()) z[i] = p >= 0 && i == p >> 6 ? 1ULL << (p & 63) : 0;
}

__device__ u64 word_at(const u64* x, i64 words, i64 p) {  // the 64 bits from p on
  i64 w = p >> 6, r = p & 63;
  u64 low = w >= 0 && w < words ? x[w] : 0, high = r && w + 1 < words ? x[w + 1] : 0;
  return r ? low >> r | high << (64 - r) : low;
}

// z(d + 1 .. d + length) = x(s + 1 .. s + length)
extern "C" __global__ void copy_range(i64 length, const u64* x, i64 words, i64 s, u64* z, i64 d) {
  i64 first = d >> 6, last = (d + length - 1) >> 6;
  for (i64 i = first + thread(); i <= last; i += threads()) {
    u64 mask = ones(d + length, i);
    if (i == first) mask &= ~0ULL << (d & 63);
    z[i] = (z[i] & ~mask) | (word_at(x, words, 64 * i - d + s) & mask);
  }
}

__device__ __forceinline__ u64 reversed(u64 x) {
#ifdef SIMULATED
  u64 y = 0;
  for (int i = 0; i < 64; i++) y |= (x >> i & 1) << (63 - i);
  return y;
#else
  return __brevll(x);
#endif
}

// x + y + carry on the words from..to - 1 (y inverted where `flip`), the last one first; returns the carry,
// and says in `full` whether the sums are all ones, so that a carry would run through.
template <bool WRITE>
__device__ bool ripple(i64 from, i64 to, i64 n, u64 flip, const u64* x, const u64* y, u64* z, bool carry, bool* full) {
  *full = true;
  for (i64 i = to - 1; i >= from; i--) {
    u64 a = reversed(x[i]), s = a + reversed(y[i] ^ flip);
    bool over = s < a;
    s += carry;
    carry = over || s < (u64)carry;
    *full = *full && s == ~0ULL;
    if (WRITE) z[i] = reversed(s) & ones(n, i);
  }
  return carry;
}

// Words as numbers, position 1 the most significant: x + y, or x + ~y + 1. A thread of the one block takes a
// share of them, without a carry into it first, then with that which the shares behind it give.
extern "C" __global__ void add_words(i64 n, i64 subtract, const u64* x, const u64* y, u64* z) {
  __shared__ bool gives[1024], passes[1024];
  if (blockIdx.x) return;
  i64 words = (n + 63) / 64, t = threadIdx.x, all = blockDim.x, from = words * t / all, to = words * (t + 1) / all;
  u64 flip = subtract ? ~0ULL : 0;
  bool full;
  gives[t] = ripple<false>(from, to, n, flip, x, y, z, false, &full);
  passes[t] = full;
  __syncthreads();
  bool carry = subtract;
  if (t == 0)
    for (i64 k = all - 1; k >= 0; k--) {
      bool out = gives[k] || (passes[k] && carry);
      gives[k] = carry;
      carry = out;
    }
  __syncthreads();
  ripple<true>(from, to, n, flip, x, y, z, gives[t], &full);
}

extern "C" __global__ void write_bit(i64 i, i64 bit, u64* x) {
  if (thread() == 0) x[i >> 6] = (x[i >> 6] & ~(1ULL << (i & 63))) | (u64)bit << (i & 63);
}
