// C = A B by expand, sort, compress (ESC): all products with their positions, sorted by position, then summed by position.
//
// Between the kernels the host argsorts the positions and finds the runs of equal ones (operations/spgemm/sort.py).
// Work split: `expand_products` and `sum_runs` give each warp an equal share of the products, whatever rows they are in.
// Conflicts: a run that several lanes have a part of is summed by atomics, one per lane and run.
// Memory: each product is written once and read once, with an 8-byte position.
#include "rows.cuh"
#include "spgemm_multiply.cuh"
#include "hash_table.cuh"

// product_offsets[p]: number of products of the entries of A before p; a_rows[p]: the row of entry p.
// positions[t] = i * ncols + j for product number t.
extern "C" __global__ void expand_products(
    i64 nproducts, i64 a_nvals, i64 ncols, const i64* product_offsets, const Rows* a_rows, const AOffset* a_offsets, const AIndex* a_columns,
    const AType* a_values, const BOffset* b_offsets, const Index* b_columns, const BType* b_values, i64* positions, Z* values) {
  Operands operands = {a_offsets, a_columns, a_values, b_offsets, b_columns, b_values, nullptr, nullptr};
  for_each_entry(product_offsets, a_nvals, nproducts, [&](i64 p, i64 t) {
    i64 i = a_rows[p], k = a_columns[p], q = b_offsets[k] + (t - product_offsets[p]), j = b_columns[q];
    positions[t] = i * ncols + j;
    values[t] = product(operands, p, q, i, k, j);
  });
}

extern "C" __global__ void clear_sums(i64 nruns, Word* sums) {
  for (i64 r = thread(); r < nruns; r += threads()) sums[r] = to_word(Add::identity());
}

// sums[r]: of values[order[t]] for t from run_offsets[r] to run_offsets[r + 1]. A lane sums its products of one run
// before it adds them to the run's sum.
extern "C" __global__ void sum_runs(i64 nproducts, i64 nruns, const i64* run_offsets, const i64* order, const Z* values, Word* sums) {
  const int CHUNK = 16 * WARP;
  for (i64 first = warp() * CHUNK; first < nproducts; first += warps() * CHUNK) {
    i64 last = min(first + CHUNK, nproducts) - 1, low = row_of(run_offsets, 0, nruns, first), high = row_of(run_offsets, low, nruns, last) + 1;
    i64 run = -1;
    Z sum = Add::identity();
    for (i64 t = first + lane(); t <= last; t += WARP) {
      i64 next_run = row_of(run_offsets, low, high, t);
      Z x = values[order[t]];
      if (next_run == run) {
        sum = Add::of(sum, x);
        continue;
      }
      if (run >= 0) atomic_accumulate(&sums[run], sum);
      run = next_run;
      sum = x;
    }
    if (run >= 0) atomic_accumulate(&sums[run], sum);
  }
}

extern "C" __global__ void unpack_sums(i64 nruns, const Word* sums, Z* values) {
  for (i64 r = thread(); r < nruns; r += threads()) values[r] = from_word(sums[r]);
}
