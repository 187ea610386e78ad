// C<M, accum, replace> = A u for a full u, by the slices of A: a thread block copies the values of a block of columns into
// shared memory and looks up there; what is far it looks up through the cache. Sums of the pieces of a row meet by atomic
// operations; `write_sums` writes them.
//
// Rows may have other numbers in the slices and sums, in which those without entries have none: number k is row order[k], and
// row i has number rank[i] or, without entries, -1. Else both are null pointers.
//
// A call defines NATIVE, the operation on NativeZ, and ORDERED: 1 or 2 where it is min or max of floats.
#include "masked_write.cuh"
#include "monoid.cuh"
#include "spmv_multiply.cuh"
#include "atomic_reduction.cuh"
#include "sliced_ell_sum.cuh"
enum { VALUED = USES_A && !A_ISO };

// A sum as a word.
template <int ORDER, class Word> struct Code {
  static __device__ __forceinline__ Word of(Z z) { return (Word)z; }
  static __device__ __forceinline__ Z value(Word w) { return (Z)w; }
  static __device__ __forceinline__ Word first() { return of(Add::identity()); }
};
// Floats of which the least is asked for become integers of the same order. Both ends of these are NaN, which every sum
// begins with and any number takes the place of.
template <class Word> struct Code<1, Word> {
  union Both { Z z; Word w; };
  static __device__ __forceinline__ Word top() { return Word(1) << (8 * sizeof(Word) - 1); }
  static __device__ __forceinline__ Word of(Z z) {
    Both both;
    both.z = z;
    return both.w & top() ? ~both.w : both.w | top();
  }
  static __device__ __forceinline__ Z value(Word w) {
    Both both;
    both.w = w & top() ? w ^ top() : ~w;
    return both.z;
  }
  static __device__ __forceinline__ Word first() { return ~Word(0); }
};
template <class Word> struct Code<2, Word> : Code<1, Word> {  // the greatest
  static __device__ __forceinline__ Word first() { return 0; }
};
typedef Code<ORDERED, NativeZ> Kept;

template <class Item> struct Products {
  typedef Z Sum;
  template <int N> struct Loaded { Group<Item, N> items; Group<A, N> a; };
  enum { NEAR = sizeof(Item) == 2, BATCH = (NEAR ? 4 : 2) / (VALUED && sizeof(A) > 4 ? 2 : 1), ALL = MASK == 0 };
  const Item* items;
  const A* a;
  const U* u;
  Item none;  // which fills up
  NativeZ* sums;
  const i32* order;
  const Mask* m;
  const u32* mbits;

  __device__ __forceinline__ Z start() const { return Add::identity(); }
  __device__ __forceinline__ bool open(i32 row) const { return row >= 0 && mask_allows(m, mbits, order ? order[row] : row); }
  __device__ __forceinline__ Loaded<1> nothing() const {
    Loaded<1> l = {};
    l.items.of[0] = none;
    return l;
  }
  template <int N> __device__ __forceinline__ Loaded<N> load(i64 place) const {
    Loaded<N> l;
    l.items = group_once<N>(items + place);
    if constexpr (VALUED) l.a = group_once<N>(a + place);
    return l;
  }
  template <int N> __device__ __forceinline__ void add(Z& z, const Loaded<N>& l) const {
    U x[N];
#pragma unroll
    for (int k = 0; k < N; k++) x[k] = u[NEAR || l.items.of[k] != none ? l.items.of[k] : 0];  // near, there is one for none
#pragma unroll
    for (int k = 0; k < N; k++) {
      Z more = Add::of(z, product(VALUED ? l.a.of + k : a, 0, x[k], 0, 0));
      if (l.items.of[k] != none) z = more;
    }
  }
  __device__ __forceinline__ void meet(i32 row, Z z) const {
    if (!ORDERED || z == z) REDUCTION(NATIVE)(&sums[row], Kept::of(z));
  }
};

extern "C" __global__ void __launch_bounds__(1024, 1)
    spmv_sliced_ell(i64 count, const Work* works, const i64* near_begins, const i32* near_rows, const u16* near_items, const A* near_a,
                const i64* far_begins, const i32* far_rows, const u32* far_items, const A* far_a, const U* u, i64 ncols, u64* taken,
                NativeZ* sums, const i32* order, const Mask* m, const u32* mbits) {
  SHARED_ARRAY(U, values);
  Products<u16> near = {near_items, near_a, values, COLUMNS, sums, order, m, mbits};
  Products<u32> far = {far_items, far_a, u, (u32)ncols, sums, order, m, mbits};
  if (threadIdx.x == 0) values[COLUMNS] = U();
  each_work(
      works, count, taken,
      [&](i32 block) {
        const U* from = u + (i64)block * COLUMNS;
        int size = min((i64)COLUMNS, ncols - (i64)block * COLUMNS);
#pragma unroll 8
        for (int k = threadIdx.x; k < size; k += blockDim.x) values[k] = from[k];
      },
      [&](const Work& work, i64 s, i64 last, i64 step) {
        if (work.block >= 0) add_slices(Slices{near_begins, near_rows}, s, last, step, near);
        else add_slices(Slices{far_begins, far_rows}, s, last, step, far);
      });
}

extern "C" __global__ void clear_row_sums(i64 n, NativeZ* sums) {
  for (i64 k = thread(); k < n; k += threads()) sums[k] = Kept::first();
}

// Rows that have an entry have a sum, whatever u holds. Sums become as they were found; by `clear_sums` where rows are
// renumbered, as it does so in order.
extern "C" __global__ void write_row_sums(i64 nrows, const Offset* indptr, const i32* rank, NativeZ* sums, const Mask* m, const u32* mbits,
                                      C* c, const u32* old, u32* cbits) {
  for (i64 row = thread(); row < round_up_to_warps(nrows); row += threads()) {
    bool present = false;
    if (row < nrows) {
      i64 from = rank ? rank[row] : row;
      bool any = rank ? from >= 0 : indptr[row + 1] > indptr[row];
      Z z = any ? Kept::value(sums[from]) : Z();
      present = masked_write(c, row, mask_allows(m, mbits, row), READS_OLD_C && has(old, row), any, z);
      if (any && !rank) sums[row] = Kept::first();
    }
    if (cbits) store_bit_in_new_word(cbits, old, row, present);
  }
}
