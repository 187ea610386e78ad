// The basic procedures: a thread takes 64 rows, a word of each of the k columns. Columns are words apart,
// column 0 is the most significant; where `stride` is 0 the right operand is one word for all rows.
#include "star_grid.cuh"
// Right operands: columns of a table, of one word for all rows, of zeros.
struct Columns {
  const u64* F;
  i64 words;
  __device__ u64 operator()(i64 c, i64 i) const { return F[c * words + i]; }
};
struct Pattern {
  const u64* F;
  __device__ u64 operator()(i64 c, i64) const { return spread(F, c); }
};
struct Zeros {
  __device__ u64 operator()(i64, i64) const { return 0; }
};

template <bool ORDER, class Right>
__device__ void compare_with(Right F, i64 wanted, i64 k, i64 n, const u64* T, const u64* X, u64* Z) {
  const int MANY = 8;  // columns that are read together
  i64 words = (n + 63) / 64;
  for (i64 i = thread(); i < words; i += threads()) {
    u64 equal = control(X, n, i), less = 0, greater = 0;
    for (i64 c = 0; c < k && equal; c += MANY) {
      u64 t[MANY];
#pragma unroll
      for (int j = 0; j < MANY; j++) t[j] = c + j < k ? T[(c + j) * words + i] : 0;
#pragma unroll
      for (int j = 0; j < MANY; j++) {
        if (c + j >= k) break;
        u64 f = F(c + j, i);
        if (ORDER) less |= equal & f & ~t[j], greater |= equal & t[j] & ~f;
        equal &= ~(t[j] ^ f);
      }
    }
    Z[i] = (wanted & 1 ? less : 0) | (wanted & 2 ? equal : 0) | (wanted & 4 ? greater : 0);
  }
}

// Z: the rows of X that are less (wanted & 1), equal (2), greater (4).
extern "C" __global__ void compare_rows(i64 wanted, i64 k, i64 n, const u64* T, const u64* F, i64 stride, const u64* X,
                                   u64* Z) {
  if (stride) compare_with<true>(Columns{F, stride}, wanted, k, n, T, X, Z);
  else if (wanted == 2) compare_with<false>(Pattern{F}, wanted, k, n, T, X, Z);
  else compare_with<true>(Pattern{F}, wanted, k, n, T, X, Z);
}

template <class Left, class Right>
__device__ void combine_with(Left A, Right F, i64 op, i64 n, i64 k, u64* R, i64 ka, i64 kf, const u64* X) {
  const int MANY = 4;
  i64 words = (n + 63) / 64;
  for (i64 i = thread(); i < words; i += threads()) {
    u64 x = control(X, n, i), all = ones(n, i), carry = op == 2 ? ~0ULL : 0;
    if (!x) continue;
    for (i64 q = 0; q < k; q += MANY) {  // from the least significant column
      u64 a[MANY], f[MANY], r[MANY];
#pragma unroll
      for (int j = 0; j < MANY; j++) {
        a[j] = q + j < ka && q + j < k ? A(ka - 1 - q - j, i) : 0;
        f[j] = q + j < kf ? F(kf - 1 - q - j, i) : 0;
        r[j] = x != all && q + j < k ? R[(k - 1 - q - j) * words + i] : 0;
      }
#pragma unroll
      for (int j = 0; j < MANY; j++) {
        if (q + j >= k) break;
        u64 g = op == 2 ? ~f[j] : f[j], sum = op ? a[j] ^ g ^ carry : a[j];
        carry = (a[j] & g) | (carry & (a[j] ^ g));
        R[(k - 1 - q - j) * words + i] = (sum & x) | (r[j] & ~x);
      }
    }
  }
}

// The rows of R in X become those of A (op 0), A + F (1) or A - F (2); shorter ones are filled with zeros.
// Without A, they become the word F.
extern "C" __global__ void combine_rows(i64 op, i64 n, i64 k, u64* R, i64 ka, const u64* A, i64 kf, const u64* F, i64 stride,
                                   const u64* X) {
  i64 words = (n + 63) / 64;
  if (!A) combine_with(Pattern{F}, Zeros(), op, n, k, R, k, 0, X);
  else if (!op) combine_with(Columns{A, words}, Zeros(), op, n, k, R, ka, 0, X);
  else if (stride) combine_with(Columns{A, words}, Columns{F, stride}, op, n, k, R, ka, kf, X);
  else combine_with(Columns{A, words}, Pattern{F}, op, n, k, R, ka, kf, X);
}

// The rows of X with the smallest (flip = ~0) or largest (0) value. 64 columns at a time: each thread's best,
// the best of all (as a number of m bits, in best[chunk]), and the rows that have it. A cooperative launch.
extern "C" __global__ void __launch_bounds__(256, 8) extreme_rows(i64 flip, i64 k, i64 n, const u64* T, const u64* X, u64* Z, u64* best, u64* state) {
  i64 words = (n + 63) / 64, chunks = k ? (k + 63) / 64 : 1;
  for (i64 chunk = 0; chunk < chunks; chunk++) {
    const u64* columns = T + 64 * chunk * words;
    int m = k - 64 * chunk < 64 ? k - 64 * chunk : 64;
    u64 most = 0;
    for (i64 i = thread(); i < words; i += threads()) {
      u64 rows = chunk ? Z[i] : control(X, n, i), value = 0;
      if (!rows) continue;
      for (int c = 0; c < m; c++) {
        u64 hit = rows & (columns[c * words + i] ^ flip);
        value = 2 * value + (hit != 0);
        if (hit) rows = hit;
      }
      most = Largest::of(most, value);
    }
    most = of_block<Largest>(most);
    if (threadIdx.x == 0 && most) atomicMax(&best[chunk], most);
    barrier(state, chunk + 1);
    u64 goal = now(&best[chunk]);
    for (i64 i = thread(); i < words; i += threads()) {
      u64 rows = chunk ? Z[i] : control(X, n, i);
      for (int c = 0; c < m && rows; c++) {
        u64 t = columns[c * words + i] ^ flip;
        rows &= goal >> (m - 1 - c) & 1 ? t : ~t;
      }
      Z[i] = rows;
    }
  }
  last_block(state, chunks);
}
