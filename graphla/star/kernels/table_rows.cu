// Rows of a table, across its columns; and tables as numbers, by tiles of 64 x 64 bits. Column c of a table
// of n rows begins at word c * ceil(n / 64).
#include "bits.cuh"

// ROW: bit c of the word is that of row i in column c.
extern "C" __global__ void read_row(i64 k, i64 words, const u64* T, i64 i, u32* word) {
  i64 whole = (k + 63) / 64 * 64;
  for (i64 c = thread(); c < whole; c += threads()) store_bit(word, c, c < k && T[c * words + (i >> 6)] >> (i & 63) & 1);
}

extern "C" __global__ void write_row(i64 k, i64 words, u64* T, i64 i, const u64* word) {
  for (i64 c = thread(); c < k; c += threads()) {
    u64* t = T + c * words + (i >> 6);
    *t = (*t & ~(1ULL << (i & 63))) | (word[c >> 6] >> (c & 63) & 1) << (i & 63);
  }
}

// A warp turns 64 words load(0..63) round and gives word r, which has bit r of each, to store(r, word).
template <class Load, class Store> __device__ void turn(Load load, Store store) {
  u64 a[64 / WARP];
#pragma unroll
  for (int h = 0; h < 64 / WARP; h++) a[h] = load(h * WARP + lane());
  for (int r = 0; r < 64; r++) {
    u64 x = 0;
#pragma unroll
    for (int h = 0; h < 64 / WARP; h++) x |= (u64)ballot(a[h] >> r & 1) << (h * WARP);
    if (lane() == r % WARP) store(r, x);
  }
}

struct Numbers {  // value[i] is row i as a number
  u64* value;
  i64 n, i;
  __device__ u64 operator()(int q) const { return 64 * i + q < n ? value[64 * i + q] : 0; }
  __device__ void operator()(int r, u64 x) const {
    if (64 * i + r < n) value[64 * i + r] = x;
  }
};
struct Columns {  // word i of k columns, the least significant bit first
  u64* T;
  i64 k, words, i;
  __device__ u64 operator()(int q) const { return q < k ? T[(k - 1 - q) * words + i] : 0; }
  __device__ void operator()(int r, u64 x) const {
    if (r < k) T[(k - 1 - r) * words + i] = x;
  }
};
struct Tile {  // word i of the columns from c on
  u64* T;
  i64 k, words, c, i;
  __device__ u64 operator()(int q) const { return c + q < k ? T[(c + q) * words + i] : 0; }
  __device__ void operator()(int r, u64 x) const {
    if (c + r < k) T[(c + r) * words + i] = x;
  }
};

extern "C" __global__ void from_integers(i64 n, u64* value, i64 k, u64* T) {
  i64 words = (n + 63) / 64;
  for (i64 i = warp(); i < words; i += warps()) turn(Numbers{value, n, i}, Columns{T, k, words, i});
}

extern "C" __global__ void to_integers(i64 n, u64* value, i64 k, u64* T) {
  i64 words = (n + 63) / 64;
  for (i64 i = warp(); i < words; i += warps()) turn(Columns{T, k, words, i}, Numbers{value, n, i});
}

// S, of n columns and k rows, from T, of k columns and n rows.
extern "C" __global__ void transpose_table(i64 n, i64 k, u64* T, u64* S) {
  i64 words = (n + 63) / 64, across = (k + 63) / 64;
  for (i64 t = warp(); t < words * across; t += warps()) {
    i64 i = t / across, c = t % across;
    turn(Tile{T, k, words, 64 * c, i}, Tile{S, n, across, 64 * i, c});
  }
}

// Set bit i of column j for each pair.
extern "C" __global__ void set_bits(i64 pairs, const i64* row, const i64* column, i64 words, u64* T) {
  for (i64 p = thread(); p < pairs; p += threads())
    atomicOr(&T[column[p] * words + (row[p] >> 6)], 1ULL << (row[p] & 63));
}
