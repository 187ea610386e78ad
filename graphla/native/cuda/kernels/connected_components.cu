// Weak components as one cooperative launch: a forest of trees, parent[v] <= v, that grows by hooking roots.
#include "grid.cuh"

enum : Vertex { NONE = (Vertex)~0ull };
enum {
  EVERY = 16,    // one block of 32 vertices in so many is linked before the vote
  SAMPLE = 256,  // vertices that vote
  SHORT = 32,    // neighbours that one thread links
  BATCH = 3      // vertices that a thread has in flight
};

struct Rows {
  const Offset* ends;
  const Vertex* columns;
};

struct Forest {
  Vertex* parent;
  Vertex giant;  // the root of the largest tree as it was when all looked: every way from its vertices passes it

  // The root of a vertex; each step halves the way. What is read may be old: then it is an ancestor too.
  __device__ __forceinline__ Vertex root(Vertex v) const {
    Vertex above = parent[v];
    for (;;) {
      Vertex next = parent[above];
      if (next == above) return above;
      if (above != giant) parent[v] = next;
      v = above, above = next;
    }
  }

  // Whether a vertex is the giant, or below it.
  __device__ __forceinline__ bool in_giant(Vertex v) const {
    if (v == giant) return true;
    Vertex first = parent[v], above = first;
    while (above != giant) {
      Vertex next = parent[above];
      if (next == above) return false;
      above = next;
    }
    if (first != giant) parent[v] = giant;
    return true;
  }

  __device__ __forceinline__ void link(Vertex u, Vertex v) const {
    for (u = root(u), v = root(v); u != v;) {
      Vertex high = max(u, v), low = min(u, v), above = atomicCAS(&parent[high], high, low);
      if (above == high || above == low) return;
      u = root(above), v = low;
    }
  }
};

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

// Link some of the vertices, which joins the large trees: few are in others.
__device__ __forceinline__ void link_some(i64 n, const Forest& forest, const Vertex* other) {
  for (i64 i = thread();; i += threads()) {
    i64 v = i / 32 * (32 * EVERY) + i % 32;
    if (v >= n) return;
    if (other[v] != (Vertex)v) forest.link(v, other[v]);
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

// Link each lane's vertex with all its neighbours; all lanes of the warp come here.
__device__ __forceinline__ void link_row(const Forest& forest, Rows rows, bool has, Vertex v) {
  i64 begin = has ? rows.ends[v] : 0, end = has ? rows.ends[v + 1] : 0;
  u32 queue = ballot(end - begin > SHORT);
  if (end - begin <= SHORT)
    for (i64 p = begin; p < end; p++) forest.link(v, rows.columns[p]);
  for (; queue; queue &= queue - 1) {
    int l = __ffs(queue) - 1;
    Vertex u = from_lane(v, l);
    i64 last = from_lane(end, l);
    for (i64 p = from_lane(begin, l) + lane(); p < last; p += WARP) forest.link(u, rows.columns[p]);
  }
}

// Link the vertices outside the giant: with one neighbour, and if that is outside too, with all.
__device__ __forceinline__ void link_rest(i64 n, const Forest& forest, Rows rows, Rows into, const Vertex* other) {
  for (i64 v = thread(); v < whole_warps(n); v += threads()) {
    bool outside = v < n && !forest.in_giant(v);
    if (outside && other[v] != (Vertex)v) {
      forest.link(v, other[v]);
      outside = !forest.in_giant(v);
    }
    link_row(forest, rows, outside, v);
    if (into.ends) link_row(forest, into, outside, v);
  }
}

__device__ __forceinline__ void write_labels(i64 n, const Vertex* parent, i64* label) {
  for (i64 base = thread(); base < n; base += BATCH * threads()) {
    Vertex above[BATCH], next[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) above[k] = base + k * threads() < n ? parent[base + k * threads()] : 0;
#pragma unroll
    for (int k = 0; k < BATCH; k++) next[k] = parent[above[k]];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      for (; next[k] != above[k]; next[k] = parent[above[k]]) above[k] = next[k];
      if (base + k * threads() < n) __stcs(&label[base + k * threads()], (i64)above[k]);
    }
  }
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    connected_components(i64 n, const Offset* ends, const Vertex* columns, const Offset* in_ends, const Vertex* in_columns,
                         Vertex* parent, i64* label, u32* arrived, u64* giant) {
  __shared__ Vertex seen;
  Rows rows = {ends, columns}, into = {in_ends, in_columns};
  Vertex* other = (Vertex*)label;  // until there are labels
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
