// Weak components as one cooperative launch: a forest of trees, parent[v] <= v, that grows by hooking roots. `other` may
// be the memory of the labels, which are written when it is not needed any more.
#include "components.cuh"

enum { SAMPLE = 256 };  // vertices that vote

// Each vertex is put below its smallest neighbour, which is the first: no atomics are needed. What it is to be
// linked with next is kept in `other`: its second neighbour, or the only one where that is larger.
__device__ __forceinline__ void plant(i64 n, Rows rows, Vertex* parent, Vertex* other) {
  for (i64 base = thread(); base < n; base += BATCH * threads()) {
    Offset begin[BATCH], degree[BATCH];
    Vertex first[BATCH], second[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * threads();
      begin[k] = v < n ? rows.ends[v] : 0;
      degree[k] = v < n ? rows.ends[v + 1] - begin[k] : 0;
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
      other[v] = degree[k] > 1 || first[k] > (Vertex)v ? second[k] : (Vertex)v;
    }
  }
}

// The root that most of a sample have; any answer is right, a good one fast.
__device__ __forceinline__ void vote(i64 n, const Forest& forest, u64* giant) {
  __shared__ Vertex sample[SAMPLE];
  __shared__ u64 best;
  if (threadIdx.x == 0) best = 0;
  for (int k = threadIdx.x; k < SAMPLE; k += blockDim.x) sample[k] = forest.root((u64)k * 2654435761u % n);
  __syncthreads();
  for (int k = threadIdx.x; k < SAMPLE; k += blockDim.x) {
    u64 votes = 0;
    for (int j = 0; j < SAMPLE; j++) votes += sample[j] == sample[k];
    atomicMax(&best, votes << 32 | k);
  }
  __syncthreads();
  if (threadIdx.x == 0) *giant = sample[(u32)best];
}

__device__ __forceinline__ void write_labels(i64 n, const Vertex* parent, Label* label) {
  for (i64 base = thread(); base < n; base += BATCH * threads()) {
    Vertex above[BATCH], next[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) above[k] = base + k * threads() < n ? parent[base + k * threads()] : 0;
#pragma unroll
    for (int k = 0; k < BATCH; k++) next[k] = parent[above[k]];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      for (; next[k] != above[k]; next[k] = parent[above[k]]) above[k] = next[k];
      if (base + k * threads() < n) __stcs(&label[base + k * threads()], (Label)above[k]);
    }
  }
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    connected_components(i64 n, const Offset* ends, const Vertex* columns, const Offset* in_ends, const Vertex* in_columns,
                         Vertex* parent, Vertex* other, Label* label, u32* arrived, u64* giant) {
  __shared__ Vertex seen;
  Rows rows = {ends, columns}, into = {in_ends, in_columns};
  Forest forest = {parent, NONE};

  plant(n, rows, parent, other);
  grid_barrier(arrived);
  link_some(n, forest, other);
  grid_barrier(arrived);
  if (blockIdx.x == 0) vote(n, forest, giant);
  grid_barrier(arrived);
  if (threadIdx.x == 0) seen = __ldcg(giant);
  __syncthreads();
  forest.giant = seen;
  link_rest(n, forest, rows, into, other);
  grid_barrier(arrived);
  write_labels(n, parent, label);
}
