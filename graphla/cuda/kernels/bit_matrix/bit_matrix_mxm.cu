// C<M, accum, replace> = A B on tensor cores: how many k have A(i, k) and B(k, j), of which a bit is kept.
//
// B comes as its transpose, so that both are read along k. A warp takes DOWN x ACROSS entries of C, a block
// 4 x 2 warps, and blocks follow one another down a band, where they share rows of B'.
#include "bits128.cuh"
enum { DOWN = 64, ACROSS = 64, BAND = 8 };

#if defined(SIMULATED) || __CUDA_ARCH__ < 800  // without such cores, word by word
extern "C" __global__ void bit_matrix_mxm(i64 nrows, i64 ncols, i64 inner, i64 across, const Bits128* a, const Bits128* bt, const u32* c,
                                          const u32* m, u32* out) {
  for (i64 p = thread(); p < nrows * across * 4; p += threads()) {
    i64 i = p / (across * 4), first = p % (across * 4) * 32;
    u32 word = 0;
    for (i64 j = first; j < min(first + 32, ncols); j++) {
      bool met = false;
      for (i64 q = 0; q < inner && !met; q++)
        for (int k = 0; k < 4; k++) met |= (a[i * inner + q].word[k] & bt[j * inner + q].word[k]) != 0;
      word |= (u32)met << (j - first);
    }
    out[p] = updated(READS_OLD_C ? c[p] : 0, word, MASK ? m[p] : 0);
  }
}
#else
// Add the number of common bits of 16 rows and 8 columns; the order of the 256 bits is free, if it is the same for all.
__device__ __forceinline__ void add_common(int (&sum)[4], u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1) {
  asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(256) bit_matrix_mxm(i64 nrows, i64 ncols, i64 inner, i64 across, const Bits128* a, const Bits128* bt,
                                                                 const u32* c, const u32* m, u32* out) {
  const int group = lane() / 4, part = lane() % 4, w = threadIdx.x / WARP;
  i64 down = (nrows + DOWN * 4 - 1) / (DOWN * 4), tiles = down * ((ncols + ACROSS * 2 - 1) / (ACROSS * 2));
  for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    i64 columns = tiles / down, band = tile / (BAND * columns), height = min((i64)BAND, down - band * BAND);
    i64 rest = tile - band * BAND * columns;
    i64 row = (band * BAND + rest % height) * DOWN * 4 + w % 4 * DOWN, column = rest / height * ACROSS * 2 + w / 4 * ACROSS;
    int sum[DOWN / 16][ACROSS / 8][4] = {};
    for (i64 q = part; q - part < inner; q += 4) {
      Bits128 x[DOWN / 8], y[ACROSS / 8];
#pragma unroll
      for (int r = 0; r < DOWN / 8; r++) {
        i64 i = row + r * 8 + group;
        x[r] = i < nrows && q < inner ? a[i * inner + q] : Bits128();
      }
#pragma unroll
      for (int s = 0; s < ACROSS / 8; s++) {
        i64 j = column + s * 8 + group;
        y[s] = j < ncols && q < inner ? bt[j * inner + q] : Bits128();
      }
#pragma unroll
      for (int half = 0; half < 4; half += 2)
#pragma unroll
        for (int r = 0; r < DOWN / 16; r++)
#pragma unroll
          for (int s = 0; s < ACROSS / 8; s++)
            add_common(sum[r][s], x[2 * r].word[half], x[2 * r + 1].word[half], x[2 * r].word[half + 1], x[2 * r + 1].word[half + 1],
                       y[s].word[half], y[s].word[half + 1]);
    }
#pragma unroll
    for (int r = 0; r < DOWN / 8; r++)
#pragma unroll
      for (int k = 0; k < ACROSS / 32; k++) {  // four lanes have the bits of a word: two of each eight
        u32 word = 0;
#pragma unroll
        for (int s = 0; s < 4; s++) {
          const int* two = sum[r / 2][k * 4 + s] + r % 2 * 2;
          word |= ((u32)(two[0] > 0) | (u32)(two[1] > 0) << 1) << (s * 8 + part * 2);
        }
        word |= __shfl_xor_sync(~0u, word, 1);
        word |= __shfl_xor_sync(~0u, word, 2);
        i64 i = row + r * 8 + group, j = column / 32 + k, p = i * across * 4 + j;
        if (part == 0 && i < nrows && j < across * 4) out[p] = updated(READS_OLD_C ? c[p] : 0, word, MASK ? m[p] : 0);
      }
  }
}
#endif
