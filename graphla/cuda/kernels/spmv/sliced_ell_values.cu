// The values of a matrix in the order of the items of its slices (sliced_ell_build.cu): each is found by binary search in
// its row.
//
// Work split: a thread block per task, a warp per slice, a lane per piece. Conflicts: none.
// Memory: reads the items and searches the rows; writes one value per item, A() for padding.
// Defined before: A, Offset, Index and COLUMNS.
#include "sliced_ell_sum.cuh"

// The values of slices s, s + step, ... below `last`. If rows or columns are renumbered, row_order[k] and column_order[k]
// are the matrix's numbers of those with number k in the slices; else null.
template <class Item>
__device__ __forceinline__ void find_values(const Slices& slices, const Item* items, Item padding_item, i64 s, i64 last, i64 step, i64 first_column,
                                            const Offset* row_offsets, const Index* columns, const A* a_values, const Index* column_order,
                                            const i32* row_order, A* item_values) {
  for (; s < last; s += step) {
    i64 begin = slices.offsets[s], width = (slices.offsets[s + 1] - begin) / SLICE;
    for (int l = lane(); l < SLICE; l += WARP) {
      i32 number = slices.rows[s * SLICE + l], row = row_order && number >= 0 ? row_order[number] : number;
      for (i64 k = 0; k < width; k++) {
        i64 place = begin + place_in(width, l, k), column = first_column + items[place];
        if (items[place] == padding_item) item_values[place] = A();
        else item_values[place] = a_values[lower_bound(row_offsets, columns, row, column_order ? (i64)column_order[column] : column)];
      }
    }
  }
}

extern "C" __global__ void sliced_ell_values(i64 ntasks, const Task* tasks, const i64* near_offsets, const i32* near_rows, const u16* near_items,
                                             const i64* far_offsets, const i32* far_rows, const u32* far_items, const Offset* row_offsets,
                                             const Index* columns, const A* a_values, const Index* column_order, i64 ncols, const i32* row_order,
                                             A* near_values, A* far_values) {
  for (i64 t = blockIdx.x; t < ntasks; t += gridDim.x) {
    Task task = tasks[t];
    i64 s = task.first + threadIdx.x / WARP, step = blockDim.x / WARP;
    if (task.block >= 0)
      find_values<u16>({near_offsets, near_rows}, near_items, COLUMNS, s, task.last, step, (i64)task.block * COLUMNS, row_offsets, columns, a_values,
                       column_order, row_order, near_values);
    else find_values<u32>({far_offsets, far_rows}, far_items, ncols, s, task.last, step, 0, row_offsets, columns, a_values, column_order, row_order, far_values);
  }
}
