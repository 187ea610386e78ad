// Weak components by Afforest in one cooperative launch: label(v) = the smallest vertex of the component of v.
//   1. v's parent becomes its first neighbour, the smallest, if that is smaller than v.
//   2. One in SAMPLE_STEP vertices is linked with another neighbour.
//   3. A sample of vertices votes for the largest tree, the giant.
//   4. Vertices outside the giant's tree are linked with another neighbour, and if that is not enough with all neighbours.
//   5. The label of a vertex is its root, as parent[v] <= v.
//
// Work split: BATCH vertices in flight per thread in 1 and 5; in 4 one vertex per thread, rows longer than SHORT_ROW by a warp;
// grid barriers between the steps.
// Conflicts: see components.cuh.
// Memory: reads the first two neighbours of all vertices, and whole rows only outside the giant's tree.
// `other_neighbour` may be the memory of the labels, which are written when it is not needed any more.
// Source: M. Sutton, T. Ben-Nun, A. Barak, IPDPS 2018; J. Jaiganesh, M. Burtscher, HPDC 2018 (step 1, path halving).
#include "components.cuh"

enum { SAMPLE = 256 };  // vertices that vote

// Step 1, without atomics. other_neighbour[v] becomes what v is to be linked with next: the second neighbour, the only one if
// that is larger than v, else v itself.
__device__ __forceinline__ void hook_below_first(i64 n, Rows rows, Vertex* parent, Vertex* other_neighbour) {
  for (i64 base = thread(); base < n; base += BATCH * threads()) {
    Offset begin[BATCH], degree[BATCH];
    Vertex first[BATCH], second[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * threads();
      begin[k] = v < n ? rows.offsets[v] : 0;
      degree[k] = v < n ? rows.offsets[v + 1] - begin[k] : 0;
    }
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      first[k] = degree[k] ? rows.columns[begin[k]] : (Vertex)(base + k * threads());
      second[k] = degree[k] > 1 ? rows.columns[begin[k] + 1] : first[k];
    }
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * threads();
      if (v >= n) break;
      parent[v] = min((Vertex)v, first[k]);
      other_neighbour[v] = degree[k] > 1 || first[k] > (Vertex)v ? second[k] : (Vertex)v;
    }
  }
}

// Step 3, by one block: the root that most of a sample have. The choice affects the speed only, not the result.
__device__ __forceinline__ void vote_for_giant(i64 n, const Forest& forest, u64* giant) {
  __shared__ Vertex roots[SAMPLE];
  __shared__ u64 best;
  if (threadIdx.x == 0) best = 0;
  for (int k = threadIdx.x; k < SAMPLE; k += blockDim.x) roots[k] = forest.root((u64)k * 2654435761u % n);
  __syncthreads();
  for (int k = threadIdx.x; k < SAMPLE; k += blockDim.x) {
    u64 votes = 0;
    for (int j = 0; j < SAMPLE; j++) votes += roots[j] == roots[k];
    atomicMax(&best, votes << 32 | k);
  }
  __syncthreads();
  if (threadIdx.x == 0) *giant = roots[(u32)best];
}

__device__ __forceinline__ void write_labels(i64 n, const Vertex* parent, Label* labels) {
  for (i64 base = thread(); base < n; base += BATCH * threads()) {
    Vertex above[BATCH], next[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) above[k] = base + k * threads() < n ? parent[base + k * threads()] : 0;
#pragma unroll
    for (int k = 0; k < BATCH; k++) next[k] = parent[above[k]];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      for (; next[k] != above[k]; next[k] = parent[above[k]]) above[k] = next[k];
      if (base + k * threads() < n) __stcs(&labels[base + k * threads()], (Label)above[k]);
    }
  }
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    connected_components(i64 n, const Offset* row_offsets, const Vertex* columns, const Offset* in_offsets, const Vertex* in_columns,
                         Vertex* parent, Vertex* other_neighbour, Label* labels, u32* arrived, u64* giant) {
  __shared__ Vertex shared_giant;
  Rows rows = {row_offsets, columns}, in_rows = {in_offsets, in_columns};
  Forest forest = {parent, NONE};

  hook_below_first(n, rows, parent, other_neighbour);
  grid_barrier(arrived);
  link_sample(n, forest, other_neighbour);
  grid_barrier(arrived);
  if (blockIdx.x == 0) vote_for_giant(n, forest, giant);
  grid_barrier(arrived);
  if (threadIdx.x == 0) shared_giant = __ldcg(giant);
  __syncthreads();
  forest.giant = shared_giant;
  link_outside_giant(n, forest, rows, in_rows, other_neighbour);
  grid_barrier(arrived);
  write_labels(n, parent, labels);
}
