// T<M> = combine(x, y, scalar) at the entries of a given structure in compressed sparse rows: values, and flags that say
// which entries T has. Either output may be null.
//
// Work split: one entry of the structure per thread (for_each_entry, rows.cuh).
// Conflicts: none.
// Memory: reads the structure; x, y and the mask at the same entry (AT_SAME_ENTRY), or by binary search in their row
// (SEARCHED); writes one value and one flag per entry.
//
// Defined before: the types; X_AT and Y_AT: NONE, AT_SAME_ENTRY or SEARCHED; X_ISO, Y_ISO, M_ISO: all entries have one
// value; ROWS: whether the position (i, j) is needed; MASK as in mask.cuh.
#include "elementwise_formula.cuh"
#include "rows.cuh"
enum { NONE, AT_SAME_ENTRY, SEARCHED };

// The place of an operand's entry at entry k = (i, j) of the structure, or -1.
template <int AT, class Offset> __device__ __forceinline__ i64 operand_entry(const Offset* indptr, const Index* indices, i64 k, i64 i, i64 j) {
  if constexpr (AT == SEARCHED) return find_entry(indptr, indices, i, j);
  else return AT == AT_SAME_ENTRY ? k : -1;
}

extern "C" __global__ void ewise_csr(i64 nvals, i64 nrows, const Offset* indptr, const Index* indices,
                                     const XOffset* x_indptr, const Index* x_indices, const X* x,
                                     const YOffset* y_indptr, const Index* y_indices, const Y* y, S scalar,
                                     const MOffset* mask_indptr, const Index* mask_indices, const Mask* mask_values, Out* out, bool* flags) {
  for_each_entry<ROWS>(indptr, nrows, nvals, [&](i64 i, i64 k) {
    i64 j = ROWS ? indices[k] : 0;
    bool is_allowed = true;
    if (MASK) {
      i64 m = find_entry(mask_indptr, mask_indices, i, j);
      is_allowed = (m >= 0 && (MASK % 2 || cast<bool>(mask_values[M_ISO ? 0 : m]))) == (MASK <= 2);
    }
    i64 p = operand_entry<X_AT>(x_indptr, x_indices, k, i, j), q = operand_entry<Y_AT>(y_indptr, y_indices, k, i, j);
    T t = T();
    bool has_t =
        is_allowed && Combine::at(p >= 0, p >= 0 ? x[X_ISO ? 0 : p] : X(), q >= 0, q >= 0 ? y[Y_ISO ? 0 : q] : Y(), scalar, i, j, t);
    if (out && has_t) out[k] = cast<Out>(t);
    if (flags) flags[k] = has_t;
  });
}
