// Rows of a table: read and written as words, as numbers and as columns; bits set one by one.
//
// A table of n rows and k columns is a bit matrix by columns: column c begins at word c * column_words, column_words =
// ceil(n / 64); row i is bit i % 64 of word i / 64.
// Work split: one column per thread for single rows; otherwise one warp per tile of 64 x 64 bits, which it transposes.
// Conflicts: `set_bits` uses atomicOr; else none.
// Memory: reads and writes each word once.
#include "bits.cuh"

// ROW: bit c of `word` is that of row i in column c; bits from k on are 0.
extern "C" __global__ void read_row(i64 k, i64 column_words, const u64* table, i64 i, u32* word) {
  i64 padded = (k + 63) / 64 * 64;
  for (i64 c = thread(); c < padded; c += threads()) store_bit(word, c, c < k && table[c * column_words + (i >> 6)] >> (i & 63) & 1);
}

extern "C" __global__ void write_row(i64 k, i64 column_words, u64* table, i64 i, const u64* word) {
  for (i64 c = thread(); c < k; c += threads()) {
    u64* table_word = table + c * column_words + (i >> 6);
    *table_word = (*table_word & ~(1ULL << (i & 63))) | (word[c >> 6] >> (c & 63) & 1) << (i & 63);
  }
}

// Transpose 64 x 64 bits by a warp: store(r, word) gets bit r of each of the words load(0), ..., load(63).
template <class Load, class Store> __device__ void transpose_tile(Load load, Store store) {
  u64 words[64 / WARP];
#pragma unroll
  for (int h = 0; h < 64 / WARP; h++) words[h] = load(h * WARP + lane());
  for (int r = 0; r < 64; r++) {
    u64 transposed = 0;
#pragma unroll
    for (int h = 0; h < 64 / WARP; h++) transposed |= (u64)ballot(words[h] >> r & 1) << (h * WARP);
    if (lane() == r % WARP) store(r, transposed);
  }
}

// Sides of a tile: called with (q) to load word q of the tile, with (r, word) to store word r.
struct Numbers {  // rows 64 i to 64 i + 63 as numbers
  u64* numbers;
  i64 n, i;
  __device__ u64 operator()(int q) const { return 64 * i + q < n ? numbers[64 * i + q] : 0; }
  __device__ void operator()(int r, u64 word) const {
    if (64 * i + r < n) numbers[64 * i + r] = word;
  }
};
struct Columns {  // word i of all k columns, the last (least significant) column first
  u64* table;
  i64 k, column_words, i;
  __device__ u64 operator()(int q) const { return q < k ? table[(k - 1 - q) * column_words + i] : 0; }
  __device__ void operator()(int r, u64 word) const {
    if (r < k) table[(k - 1 - r) * column_words + i] = word;
  }
};
struct Tile {  // word i of the columns from c on
  u64* table;
  i64 k, column_words, c, i;
  __device__ u64 operator()(int q) const { return c + q < k ? table[(c + q) * column_words + i] : 0; }
  __device__ void operator()(int r, u64 word) const {
    if (c + r < k) table[(c + r) * column_words + i] = word;
  }
};

extern "C" __global__ void from_integers(i64 n, u64* numbers, i64 k, u64* table) {
  i64 column_words = (n + 63) / 64;
  for (i64 i = warp(); i < column_words; i += warps()) transpose_tile(Numbers{numbers, n, i}, Columns{table, k, column_words, i});
}

extern "C" __global__ void to_integers(i64 n, u64* numbers, i64 k, u64* table) {
  i64 column_words = (n + 63) / 64;
  for (i64 i = warp(); i < column_words; i += warps()) transpose_tile(Columns{table, k, column_words, i}, Numbers{numbers, n, i});
}

// The transpose, of n columns and k rows, of a table of k columns and n rows.
extern "C" __global__ void transpose_table(i64 n, i64 k, u64* table, u64* transposed) {
  i64 column_words = (n + 63) / 64, transposed_words = (k + 63) / 64;
  for (i64 t = warp(); t < column_words * transposed_words; t += warps()) {
    i64 i = t / transposed_words, c = t % transposed_words;
    transpose_tile(Tile{table, k, column_words, 64 * c, i}, Tile{transposed, n, transposed_words, 64 * i, c});
  }
}

// Set bit rows[p] of column columns[p] for each p.
extern "C" __global__ void set_bits(i64 count, const i64* rows, const i64* columns, i64 column_words, u64* table) {
  for (i64 p = thread(); p < count; p += threads())
    atomicOr(&table[columns[p] * column_words + (rows[p] >> 6)], 1ULL << (rows[p] & 63));
}
