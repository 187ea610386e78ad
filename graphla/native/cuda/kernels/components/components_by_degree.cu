// Weak components under numbers by falling degree, as one cooperative launch: the way of almost all vertices leads
// to number 0 at once.
#include "components.cuh"

struct alignas(8) Heads { Vertex first, second; };

// Each vertex is put below the first of its two heads, where that is smaller; what is left to be linked with is in
// `other`. `smallest` will be the smallest vertex, by the caller's numbers, of each tree: at its root.
__device__ __forceinline__ void plant(i64 n, const Heads* heads, const i32* order, Vertex* parent, Vertex* other, Vertex* smallest) {
#pragma unroll 4
  for (i64 v = thread(); v < n; v += threads()) {
    Heads head = heads[v];
    head.second &= ~(1u << 31);  // says that the row is longer
    parent[v] = min((Vertex)v, head.first);
    other[v] = head.second != head.first || head.first > v ? head.second : v;
    smallest[v] = order[v];
  }
}

// Put all vertices right below their roots, and tell these of the smallest vertex. Each is put there by its own thread
// alone: were ways halved here, an older ancestor could follow the root. Those of the giant are compared by each thread,
// then by each warp: millions of atomic operations on one word would stand in a queue.
__device__ __forceinline__ void settle(i64 n, const Forest& forest, const i32* order, Vertex* smallest) {
  Vertex least = NONE;
#pragma unroll 4
  for (i64 v = thread(); v < n; v += threads()) {
    Vertex above = forest.parent[v], root = above;
    if (root != forest.giant)
      for (Vertex next; (next = forest.parent[root]) != root;) root = next;
    if (root != above) forest.parent[v] = root;
    if (root == forest.giant) least = min(least, (Vertex)order[v]);
    else if (root != v) atomicMin(&smallest[root], (Vertex)order[v]);
  }
  for (int d = WARP / 2; d; d /= 2) least = min(least, from_lane(least, lane() ^ d));
  if (lane() == 0 && least != NONE) atomicMin(&smallest[forest.giant], least);
}

// A vertex without a number is isolated.
__device__ __forceinline__ void write_labels(i64 all, i64 n, const Forest& forest, const i32* number, const Vertex* smallest, Label* label) {
  Vertex least = n ? smallest[forest.giant] : NONE;
#pragma unroll 4
  for (i64 v = thread(); v < all; v += threads()) {
    i32 k = load_streaming(&number[v]);
    Vertex root = k < 0 ? forest.giant : forest.parent[k];
    __stcs(&label[v], (Label)(k < 0 ? v : root == forest.giant ? least : smallest[root]));
  }
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    components_by_degree(i64 all, i64 n, const Offset* ends, const Vertex* columns, const Offset* in_ends, const Vertex* in_columns,
                         const Heads* heads, const i32* order, const i32* number, Vertex* parent, Vertex* smallest, Label* label,
                         u32* arrived) {
  Rows rows = {ends, columns}, into = {in_ends, in_columns};
  Vertex* other = (Vertex*)label;  // until there are labels
  Forest forest = {parent, NONE};

  plant(n, heads, order, parent, other, smallest);
  grid_barrier(arrived);
  link_some(n, forest, other);
  grid_barrier(arrived);
  forest.giant = 0;
  link_rest(n, forest, rows, into, other);
  grid_barrier(arrived);
  settle(n, forest, order, smallest);
  grid_barrier(arrived);
  write_labels(all, n, forest, number, smallest, label);
}
