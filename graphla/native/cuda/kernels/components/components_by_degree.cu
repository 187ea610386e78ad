// Weak components by Afforest (connected_components.cu) of a graph numbered by descending degree, in one cooperative launch.
// Vertex 0, of highest degree, is assumed to be in the giant component, so no vote is needed; label(v) = the smallest vertex of the component in
// the caller's numbering, which is searched at the end.
//
// Work split: one vertex per thread; rows longer than SHORT_ROW by a warp; grid barriers between the steps.
// Conflicts: see components.cuh; the smallest vertex of a tree is found by atomicMin, for the giant once per warp.
// Memory: reads the first two neighbours of all vertices, which are side by side, and whole rows only outside the giant's tree.
// Source: M. Sutton, T. Ben-Nun, A. Barak, IPDPS 2018; J. Jaiganesh, M. Burtscher, HPDC 2018 (first step, path halving).
#include "components.cuh"

struct alignas(8) FirstTwo { Vertex first, second; };

// v's parent becomes its first neighbour if that is smaller; other_neighbour[v] becomes what v is to be linked with next, or v
// itself. smallest[v] starts with v in the caller's numbering.
__device__ __forceinline__ void hook_below_first(i64 n, const FirstTwo* first_two, const i32* order, Vertex* parent,
                                                 Vertex* other_neighbour, Vertex* smallest) {
#pragma unroll 4
  for (i64 v = thread(); v < n; v += threads()) {
    FirstTwo neighbours = first_two[v];
    neighbours.second &= ~(1u << 31);  // this bit: the row is longer
    parent[v] = min((Vertex)v, neighbours.first);
    other_neighbour[v] = neighbours.second != neighbours.first || neighbours.first > v ? neighbours.second : v;
    smallest[v] = order[v];
  }
}

// Make the root the parent of each vertex, and find the smallest vertex of each tree at its root. Each thread writes the parents
// of its own vertices only, without path halving: a halving thread could replace the root by an older ancestor. The giant's
// smallest vertex is reduced per thread and warp before the atomic, as nearly all vertices compete for it.
__device__ __forceinline__ void flatten_trees(i64 n, const Forest& forest, const i32* order, Vertex* smallest) {
  Vertex giant_smallest = NONE;
#pragma unroll 4
  for (i64 v = thread(); v < n; v += threads()) {
    Vertex above = forest.parent[v], root = above;
    if (root != forest.giant)
      for (Vertex next; (next = forest.parent[root]) != root;) root = next;
    if (root != above) forest.parent[v] = root;
    if (root == forest.giant) giant_smallest = min(giant_smallest, (Vertex)order[v]);
    else if (root != v) atomicMin(&smallest[root], (Vertex)order[v]);
  }
  for (int distance = WARP / 2; distance; distance /= 2) giant_smallest = min(giant_smallest, from_lane(giant_smallest, lane() ^ distance));
  if (lane() == 0 && giant_smallest != NONE) atomicMin(&smallest[forest.giant], giant_smallest);
}

// rank[v] < 0: v is isolated and its own label.
__device__ __forceinline__ void write_labels(i64 all_n, i64 n, const Forest& forest, const i32* rank, const Vertex* smallest, Label* labels) {
  Vertex giant_smallest = n ? smallest[forest.giant] : NONE;
#pragma unroll 4
  for (i64 v = thread(); v < all_n; v += threads()) {
    i32 k = load_streaming(&rank[v]);
    Vertex root = k < 0 ? forest.giant : forest.parent[k];
    __stcs(&labels[v], (Label)(k < 0 ? v : root == forest.giant ? giant_smallest : smallest[root]));
  }
}

// all_n: vertices of the graph; n: those with an edge, which are numbered.
extern "C" __global__ void __launch_bounds__(1024, 2)
    components_by_degree(i64 all_n, i64 n, const Offset* row_offsets, const Vertex* columns, const Offset* in_offsets,
                         const Vertex* in_columns, const FirstTwo* first_two, const i32* order, const i32* rank, Vertex* parent,
                         Vertex* smallest, Label* labels, u32* arrived) {
  Rows rows = {row_offsets, columns}, in_rows = {in_offsets, in_columns};
  Vertex* other_neighbour = (Vertex*)labels;  // until the labels are written
  Forest forest = {parent, NONE};

  hook_below_first(n, first_two, order, parent, other_neighbour, smallest);
  grid_barrier(arrived);
  link_sample(n, forest, other_neighbour);
  grid_barrier(arrived);
  forest.giant = 0;
  link_outside_giant(n, forest, rows, in_rows, other_neighbour);
  grid_barrier(arrived);
  flatten_trees(n, forest, order, smallest);
  grid_barrier(arrived);
  write_labels(all_n, n, forest, rank, smallest, labels);
}
