// C = A B by sorting: all products with their positions, and the sums of those that share one.
#include "rows.cuh"
#include "spgemm_multiply.cuh"
#include "hash_table.cuh"

// starts[p]: number of products of the entries of A before p; rows[p]: its row.
extern "C" __global__ void expand(
    i64 nproducts, i64 nentries, i64 ncols, const i64* starts, const Rows* rows, const AOffset* ap, const AIndex* ai,
    const AType* ax, const BOffset* bp, const Index* bi, const BType* bx, i64* keys, Z* values) {
  Operands o = {ap, ai, ax, bp, bi, bx, nullptr, nullptr};
  for_each_entry(starts, nentries, nproducts, [&](i64 p, i64 t) {
    i64 i = rows[p], k = ai[p], q = bp[k] + (t - starts[p]), j = bi[q];
    keys[t] = i * ncols + j;
    values[t] = product(o, p, q, i, k, j);
  });
}

extern "C" __global__ void clear_sums(i64 runs, Sum* sums) {
  for (i64 r = thread(); r < runs; r += threads()) sums[r] = pack(Add::identity());
}

// sums[r]: of values[order[t]] for t from starts[r] to starts[r + 1]. A lane adds what it can by itself.
extern "C" __global__ void sum_runs(i64 n, i64 runs, const i64* starts, const i64* order, const Z* values, Sum* sums) {
  const int CHUNK = 16 * WARP;
  for (i64 first = warp() * CHUNK; first < n; first += warps() * CHUNK) {
    i64 last = min(first + CHUNK, n) - 1, low = row_of(starts, 0, runs, first), high = row_of(starts, low, runs, last) + 1;
    i64 run = -1;
    Z z = Add::identity();
    for (i64 t = first + lane(); t <= last; t += WARP) {
      i64 its = row_of(starts, low, high, t);
      Z x = values[order[t]];
      if (its == run) {
        z = Add::of(z, x);
        continue;
      }
      if (run >= 0) accumulate(&sums[run], z);
      run = its;
      z = x;
    }
    if (run >= 0) accumulate(&sums[run], z);
  }
}

extern "C" __global__ void unpack_sums(i64 runs, const Sum* sums, Z* values) {
  for (i64 r = thread(); r < runs; r += threads()) values[r] = unpack(sums[r]);
}
