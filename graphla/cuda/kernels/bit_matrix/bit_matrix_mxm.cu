// C<M, accum, replace> = A B, Boolean, on bit matrices: C(i, j) = OR_k A(i, k) & B(k, j). Tensor cores count the common bits
// of row i of A and row j of B'; B is given by its transpose, so that both operands are read along k.
//
// Work split: a warp computes a tile of TILE_ROWS x TILE_COLUMNS (defined before) entries of C, a block of 8 warps 4 x 2 such tiles. Blocks
// take their tiles in bands of BAND block rows, and down the columns of a band, so that blocks that run together share rows
// of B'.
// Conflicts: none: each word of C has one writer.
// Memory: each warp reads its rows of A and of B' once, 16 bytes per lane; the counts stay in registers; one word of C is
// written per 32 entries. Rows, and bits of a row, beyond the matrix count as 0.
#include "bits128.cuh"
enum { BAND = 8 };

#if defined(SIMULATED) || __CUDA_ARCH__ < 800  // no tensor cores for bits: one word of C per thread
extern "C" __global__ void bit_matrix_mxm(i64 nrows, i64 ncols, i64 inner_quads, i64 row_quads, const Bits128* a, const Bits128* b_transposed,
                                          const u32* old_c, const u32* mask, u32* c) {
  for (i64 p = thread(); p < nrows * row_quads * 4; p += threads()) {
    i64 i = p / (row_quads * 4), first = p % (row_quads * 4) * 32;
    u32 word = 0;
    for (i64 j = first; j < min(first + 32, ncols); j++) {
      bool has_common = false;
      for (i64 q = 0; q < inner_quads && !has_common; q++)
        for (int k = 0; k < 4; k++) has_common |= (a[i * inner_quads + q].word[k] & b_transposed[j * inner_quads + q].word[k]) != 0;
      word |= (u32)has_common << (j - first);
    }
    c[p] = masked_word(READS_OLD_C ? old_c[p] : 0, word, MASK ? mask[p] : 0);
  }
}
#else
// Add to `counts` the numbers of common bits of 16 rows of A and 8 rows of B', 256 bits of each. The bits may be in any order
// that is the same in all rows.
__device__ __forceinline__ void add_common(int (&counts)[4], u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1) {
  asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(counts[0]), "+r"(counts[1]), "+r"(counts[2]), "+r"(counts[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(256)
    bit_matrix_mxm(i64 nrows, i64 ncols, i64 inner_quads, i64 row_quads, const Bits128* a, const Bits128* b_transposed, const u32* old_c,
                   const u32* mask, u32* c) {
  // The fragment layout of the instruction: a group of four lanes has one row, each lane a quarter of its bits.
  const int group = lane() / 4, quarter = lane() % 4, w = threadIdx.x / WARP;
  i64 block_rows = (nrows + TILE_ROWS * 4 - 1) / (TILE_ROWS * 4), blocks = block_rows * ((ncols + TILE_COLUMNS * 2 - 1) / (TILE_COLUMNS * 2));
  for (i64 block = blockIdx.x; block < blocks; block += gridDim.x) {
    i64 block_columns = blocks / block_rows, band = block / (BAND * block_columns), band_height = min((i64)BAND, block_rows - band * BAND);
    i64 in_band = block - band * BAND * block_columns;
    i64 row = (band * BAND + in_band % band_height) * TILE_ROWS * 4 + w % 4 * TILE_ROWS;
    i64 column = in_band / band_height * TILE_COLUMNS * 2 + w / 4 * TILE_COLUMNS;
    int counts[TILE_ROWS / 16][TILE_COLUMNS / 8][4] = {};
    for (i64 q = quarter; q - quarter < inner_quads; q += 4) {
      Bits128 a_bits[TILE_ROWS / 8], b_bits[TILE_COLUMNS / 8];
#pragma unroll
      for (int r = 0; r < TILE_ROWS / 8; r++) {
        i64 i = row + r * 8 + group;
        a_bits[r] = i < nrows && q < inner_quads ? a[i * inner_quads + q] : Bits128();
      }
#pragma unroll
      for (int s = 0; s < TILE_COLUMNS / 8; s++) {
        i64 j = column + s * 8 + group;
        b_bits[s] = j < ncols && q < inner_quads ? b_transposed[j * inner_quads + q] : Bits128();
      }
#pragma unroll
      for (int half = 0; half < 4; half += 2)
#pragma unroll
        for (int r = 0; r < TILE_ROWS / 16; r++)
#pragma unroll
          for (int s = 0; s < TILE_COLUMNS / 8; s++)
            add_common(counts[r][s], a_bits[2 * r].word[half], a_bits[2 * r + 1].word[half], a_bits[2 * r].word[half + 1],
                       a_bits[2 * r + 1].word[half + 1], b_bits[s].word[half], b_bits[s].word[half + 1]);
    }
#pragma unroll
    for (int r = 0; r < TILE_ROWS / 8; r++)
#pragma unroll
      for (int k = 0; k < TILE_COLUMNS / 32; k++) {  // a word of C: each lane of a group has two of every eight bits
        u32 word = 0;
#pragma unroll
        for (int s = 0; s < 4; s++) {
          const int* two_counts = counts[r / 2][k * 4 + s] + r % 2 * 2;
          word |= ((u32)(two_counts[0] > 0) | (u32)(two_counts[1] > 0) << 1) << (s * 8 + quarter * 2);
        }
        word |= __shfl_xor_sync(~0u, word, 1);
        word |= __shfl_xor_sync(~0u, word, 2);
        i64 i = row + r * 8 + group, j = column / 32 + k, p = i * row_quads * 4 + j;
        if (quarter == 0 && i < nrows && j < row_quads * 4) c[p] = masked_word(READS_OLD_C ? old_c[p] : 0, word, MASK ? mask[p] : 0);
      }
  }
}
#endif
