// The basic procedures: a thread takes 64 rows, a word of each of the k columns. Columns are words apart,
// column 0 is the most significant; where `stride` is 0 the right operand is one word for all rows.
#include "grid.cuh"
const int MANY = 8;  // columns that are read together

__device__ __forceinline__ u64 right(const u64* F, i64 stride, i64 c, i64 i) {
  return stride ? F[c * stride + i] : spread(F, c);
}

// Z: the rows of X that are less (wanted & 1), equal (2), greater (4).
extern "C" __global__ void compare(i64 wanted, i64 k, i64 n, const u64* T, const u64* F, i64 stride, const u64* X,
                                   u64* Z) {
  i64 words = (n + 63) / 64;
  for (i64 i = thread(); i < words; i += threads()) {
    u64 equal = control(X, n, i), less = 0, greater = 0;
    for (i64 c = 0; c < k && equal; c += MANY) {
      u64 t[MANY], f[MANY];
      int m = k - c < MANY ? k - c : MANY;
#pragma unroll
      for (int j = 0; j < MANY; j++)
        if (j < m) t[j] = T[(c + j) * words + i], f[j] = right(F, stride, c + j, i);
#pragma unroll
      for (int j = 0; j < MANY; j++)
        if (j < m) less |= equal & f[j] & ~t[j], greater |= equal & t[j] & ~f[j], equal &= ~(t[j] ^ f[j]);
    }
    Z[i] = (wanted & 1 ? less : 0) | (wanted & 2 ? equal : 0) | (wanted & 4 ? greater : 0);
  }
}

// The rows of R in X become those of A (op 0), A + F (1) or A - F (2); shorter ones are filled with zeros.
extern "C" __global__ void combine(i64 op, i64 n, i64 k, u64* R, i64 ka, const u64* A, i64 kf, const u64* F, i64 stride,
                                   const u64* X) {
  i64 words = (n + 63) / 64;
  for (i64 i = thread(); i < words; i += threads()) {
    u64 x = control(X, n, i), all = ones(n, i), carry = op == 2 ? ~0ULL : 0;
    if (!x) continue;
    for (i64 q = 0; q < k; q++) {  // from the least significant column
      u64 a = !A ? spread(F, kf - 1 - q) : q < ka ? A[(ka - 1 - q) * words + i] : 0;
      u64 f = op && q < kf ? right(F, stride, kf - 1 - q, i) : 0;
      if (op == 2) f = ~f;
      u64 sum = op ? a ^ f ^ carry : a;
      carry = (a & f) | (carry & (a ^ f));
      u64* r = R + (k - 1 - q) * words + i;
      *r = x == all ? sum & all : (sum & x) | (*r & ~x);
    }
  }
}

// The rows of X with the smallest (flip = ~0) or largest (0) value. 64 columns at a time: each thread's best,
// the best of all (as a number of m bits, in best[chunk]), and the rows that have it. A cooperative launch.
extern "C" __global__ void __launch_bounds__(256, 8) extreme(i64 flip, i64 k, i64 n, const u64* T, const u64* X, u64* Z, u64* best, u64* state) {
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
