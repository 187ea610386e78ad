// SpMV over sliced ELLPACK:  C<M, accum, replace> = A u  for a full u.
//
// Work split: see sliced_ell_sum.cuh; each thread block copies the values of u of a block of columns into shared memory and
// looks near columns up there; far columns are looked up in global memory. `write_row_sums`: a thread per row.
// Conflicts: the sums of a row's pieces are combined by atomics, in no fixed order: the last bits of a float sum may vary.
// Memory: reads the items (and values) once, u once per block of columns and for each far item; updates one sum per piece.
// If rows are renumbered in the slices, sum k is of row row_order[k], and row i has the sum row_rank[i], or none for -1;
// else both are null.
// Defined before: BLOCK; NATIVE, the hardware's operation on NativeZ; ORDERED: 1 or 2 if it is min or max of floats; COLUMNS.
#include "masked_write.cuh"
#include "monoid.cuh"
#include "spmv_multiply.cuh"
#include "atomic_reduction.cuh"
#include "sliced_ell_sum.cuh"
enum { READS_A = USES_A && !A_ISO };

// A sum as a word that the hardware's atomic takes.
template <int ORDER, class Word> struct SumCode {
  static __device__ __forceinline__ Word of(Z z) { return (Word)z; }
  static __device__ __forceinline__ Z value(Word w) { return (Z)w; }
  static __device__ __forceinline__ Word empty() { return of(Add::identity()); }
};
// Minimum of floats: an unsigned integer of the same order. The least and the greatest integers represent NaN; the empty
// sum is the greatest, which any number replaces.
template <class Word> struct SumCode<1, Word> {
  union Bits { Z z; Word w; };
  static __device__ __forceinline__ Word sign_bit() { return Word(1) << (8 * sizeof(Word) - 1); }
  static __device__ __forceinline__ Word of(Z z) {
    Bits bits;
    bits.z = z;
    return bits.w & sign_bit() ? ~bits.w : bits.w | sign_bit();
  }
  static __device__ __forceinline__ Z value(Word w) {
    Bits bits;
    bits.w = w & sign_bit() ? w ^ sign_bit() : ~w;
    return bits.z;
  }
  static __device__ __forceinline__ Word empty() { return ~Word(0); }
};
template <class Word> struct SumCode<2, Word> : SumCode<1, Word> {  // maximum
  static __device__ __forceinline__ Word empty() { return 0; }
};
typedef SumCode<ORDERED, NativeZ> RowSum;

// The Terms of sliced_ell_sum.cuh: products of A's values and u's at the items' columns.
template <class Item> struct Products {
  typedef Z Sum;
  template <int N> struct Loaded { Group<Item, N> items; Group<A, N> a; };
  enum { IS_NEAR = sizeof(Item) == 2, BATCH = (IS_NEAR ? 4 : 2) / (READS_A && sizeof(A) > 4 ? 2 : 1), ALL = MASK == 0 };
  const Item* items;
  const A* a_values;  // of the items
  const U* u_values;
  Item padding_item;  // the item of padding
  NativeZ* row_sums;
  const i32* row_order;
  const Mask* mask_values;
  const u32* mask_bits;

  __device__ __forceinline__ Z start() const { return Add::identity(); }
  __device__ __forceinline__ bool is_open(i32 row) const {
    return row >= 0 && mask_allows(mask_values, mask_bits, row_order ? row_order[row] : row);
  }
  __device__ __forceinline__ Loaded<1> padding() const {
    Loaded<1> loaded = {};
    loaded.items.of[0] = padding_item;
    return loaded;
  }
  template <int N> __device__ __forceinline__ Loaded<N> load(i64 place) const {
    Loaded<N> loaded;
    loaded.items = load_group<N>(items + place);
    if constexpr (READS_A) loaded.a = load_group<N>(a_values + place);
    return loaded;
  }
  template <int N> __device__ __forceinline__ void add(Z& sum, const Loaded<N>& loaded) const {
    U x[N];
#pragma unroll
    for (int k = 0; k < N; k++) x[k] = u_values[IS_NEAR || loaded.items.of[k] != padding_item ? loaded.items.of[k] : 0];  // u_values[padding_item] exists if near
#pragma unroll
    for (int k = 0; k < N; k++) {
      Z next = Add::of(sum, product(READS_A ? loaded.a.of + k : a_values, 0, x[k], 0, 0));
      if (loaded.items.of[k] != padding_item) sum = next;
    }
  }
  __device__ __forceinline__ void add_to_row(i32 row, Z sum) const {
    if (!ORDERED || sum == sum) REDUCTION(NATIVE)(&row_sums[row], RowSum::of(sum));
  }
};

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    spmv_sliced_ell(i64 ntasks, const Task* tasks, const i64* near_offsets, const i32* near_rows, const u16* near_items, const A* near_values,
                    const i64* far_offsets, const i32* far_rows, const u32* far_items, const A* far_values, const U* u_values, i64 ncols,
                    u64* tasks_taken, NativeZ* row_sums, const i32* row_order, const Mask* mask_values, const u32* mask_bits) {
  SHARED_ARRAY(U, block_values);
  Products<u16> near = {near_items, near_values, block_values, COLUMNS, row_sums, row_order, mask_values, mask_bits};
  Products<u32> far = {far_items, far_values, u_values, (u32)ncols, row_sums, row_order, mask_values, mask_bits};
  if (threadIdx.x == 0) block_values[COLUMNS] = U();
  for_each_task(
      tasks, ntasks, tasks_taken,
      [&](i32 block) {
        const U* from = u_values + (i64)block * COLUMNS;
        int size = min((i64)COLUMNS, ncols - (i64)block * COLUMNS);
#pragma unroll 8
        for (int k = threadIdx.x; k < size; k += blockDim.x) block_values[k] = from[k];
      },
      [&](const Task& task, i64 s, i64 last, i64 step) {
        if (task.block >= 0) sum_slices(Slices{near_offsets, near_rows}, s, last, step, near);
        else sum_slices(Slices{far_offsets, far_rows}, s, last, step, far);
      });
}

extern "C" __global__ void clear_row_sums(i64 size, NativeZ* row_sums) {
  for (i64 k = thread(); k < size; k += threads()) row_sums[k] = RowSum::empty();
}

// Write the sums of the rows that have entries to C and empty them again. Renumbered sums are emptied by `clear_row_sums`,
// which writes them in order.
extern "C" __global__ void write_row_sums(i64 nrows, const Offset* row_offsets, const i32* row_rank, NativeZ* row_sums, const Mask* mask_values,
                                          const u32* mask_bits, C* c_values, const u32* old_c_bits, u32* c_bits) {
  for (i64 row = thread(); row < round_up_to_warps(nrows); row += threads()) {
    bool is_present = false;
    if (row < nrows) {
      i64 place = row_rank ? row_rank[row] : row;
      bool has_value = row_rank ? place >= 0 : row_offsets[row + 1] > row_offsets[row];
      Z sum = has_value ? RowSum::value(row_sums[place]) : Z();
      is_present = masked_write(c_values, row, mask_allows(mask_values, mask_bits, row), READS_OLD_C && has(old_c_bits, row), has_value, sum);
      if (has_value && !row_rank) row_sums[row] = RowSum::empty();
    }
    if (c_bits) store_bit_in_new_word(c_bits, old_c_bits, row, is_present);
  }
}
