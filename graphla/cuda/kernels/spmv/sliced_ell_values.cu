// The values of a matrix in the order of the items of its slices: each is looked for in its row.
#include "sliced_ell_sum.cuh"

// A call defines A. Those of slices s, s + step, ... below `last`; columns[k] and
// rows[k] are those with number k, if they have others.
template <class Item>
__device__ __forceinline__ void values_of(const Slices& slices, const Item* items, Item none, i64 s, i64 last, i64 step, i64 first_column,
                                          const Offset* indptr, const Index* indices, const A* a, const Index* columns, const i32* rows,
                                          A* out) {
  for (; s < last; s += step) {
    i64 begin = slices.begins[s], width = (slices.begins[s + 1] - begin) / SLICE;
    for (int l = lane(); l < SLICE; l += WARP) {
      i32 number = slices.rows[s * SLICE + l], row = rows && number >= 0 ? rows[number] : number;
      for (i64 k = 0; k < width; k++) {
        i64 place = begin + place_in(width, l, k), column = first_column + items[place];
        if (items[place] == none) out[place] = A();
        else out[place] = a[lower_bound(indptr, indices, row, columns ? (i64)columns[column] : column)];
      }
    }
  }
}

extern "C" __global__ void sliced_ell_values(i64 count, const Work* works, const i64* near_begins, const i32* near_rows, const u16* near_items,
                                         const i64* far_begins, const i32* far_rows, const u32* far_items, const Offset* indptr,
                                         const Index* indices, const A* a, const Index* columns, i64 ncols, const i32* rows, A* near_a,
                                         A* far_a) {
  for (i64 w = blockIdx.x; w < count; w += gridDim.x) {
    Work work = works[w];
    i64 s = work.first + threadIdx.x / WARP, step = blockDim.x / WARP;
    if (work.block >= 0)
      values_of<u16>({near_begins, near_rows}, near_items, COLUMNS, s, work.last, step, (i64)work.block * COLUMNS, indptr, indices, a, columns, rows,
                     near_a);
    else values_of<u32>({far_begins, far_rows}, far_items, ncols, s, work.last, step, 0, indptr, indices, a, columns, rows, far_a);
  }
}
