// Minimum spanning forest by Boruvka's rounds in one cooperative launch, light edges first:
//   1. span the light edges, a few of the lowest ranks for each vertex, which joins most vertices into one tree;
//   2. list the other edges that join trees; an edge inside a tree is never in the forest;
//   3. span these. If they are more than the list has space for, repeat 2 and 3, each time for the next ranks;
//   4. label each vertex with the smallest vertex of its tree.
//
// Work split: step 2: a warp takes 32 rows and distributes their entries over its lanes by a prefix sum. Steps 1 and 3: see
// minimum_spanning_forest.cuh. Step 4: one vertex per thread. Grid barriers between the steps.
// Conflicts: see minimum_spanning_forest.cuh.
// Memory: step 2 reads the rows of vertices outside the largest tree, or if there is none half of all rows; lists of edges are read
// and written once a round. Vertices are numbered so that those of one tree are close in memory.
// Source: A. Kolganov, 2015; V. Osipov, P. Sanders, J. Singler, ALENEX 2009 (light edges first, filter); A. Fallin, A. Gonzalez,
// J. Seo, M. Burtscher, SC 2023 (edges lower both best ranks).
//
// Defined before: Label; STAGE, bytes of a warp's append buffer; what minimum_spanning_forest.cuh needs.
#include "minimum_spanning_forest.cuh"

// Make the root the parent of each vertex; a thread that shortens the same path may replace it by an older ancestor.
__device__ __noinline__ void compress_paths(const Search& caller_search) {
  const Search search = caller_search;
#pragma unroll 4
  for (i64 v = thread(); v < search.n; v += threads()) {
    Vertex p = search.above(v), above = search.above(p);
    if (p != above) search.parent[v] = root_of(search, above);
  }
}

// List the edges of ranks low..high-1 between two trees. With a passive root the whole rows outside its tree are read: if that tree
// has most of the vertices, these are few, and every edge between two trees has an end in them. Without one the part of every row
// before the diagonal is read, which has each edge once.
__device__ __noinline__ void list_edges_between_trees(const Search& caller_search, const Offset* row_offsets, const Offset* diagonal_offsets,
                                                      const Rank* ranks, u64 low, u64 high) {
  const Search search = caller_search;
  const bool reads_whole_rows = search.passive_root != NO_VERTEX;
  AppendBuffer<Edge> buffer(search.append_buffer, search.list_size(0), search.list(0), search.list_capacity);
#pragma unroll 1
  for (i64 base = warp() * WARP; base < search.n; base += warps() * WARP) {
    i64 v = base + lane();
    Vertex v_root = v < search.n ? __ldca(&search.parent[v]) : search.passive_root;
    bool is_outside = v < search.n && v_root != search.passive_root;
    i64 begin = is_outside ? row_offsets[v] : 0;
    i64 count = is_outside ? (reads_whole_rows ? row_offsets[v + 1] : diagonal_offsets[v]) - begin : 0;
    i64 end = inclusive_scan(count), total = from_lane(end, WARP - 1), entry_shift = begin - (end - count);
#pragma unroll 1
    for (i64 first = 0; first < total; first += WARP * BATCH) {
      Vertex row_root[BATCH], column_root[BATCH];  // at first column_root has the column
      Rank rank[BATCH];
      bool is_before_diagonal[BATCH];
#pragma unroll
      for (int b = 0; b < BATCH; b++) {
        i64 e = item(first, b);
        int owner = 0;  // the lane whose row has entry e: the first one with end > e
        for (int step = WARP / 2; step; step /= 2) owner += from_lane(end, owner + step - 1) <= e ? step : 0;
        i64 p = from_lane(entry_shift, owner) + e;
        row_root[b] = from_lane(v_root, owner), rank[b] = NO_RANK, column_root[b] = 0;
        if (e < total) rank[b] = load_streaming(&ranks[p]), column_root[b] = load_streaming(&search.columns[p]);
        is_before_diagonal[b] = (i64)column_root[b] < base + owner;
      }
#pragma unroll
      for (int b = 0; b < BATCH; b++)
        column_root[b] = rank[b] >= low && rank[b] < high ? __ldca(&search.parent[column_root[b]]) : row_root[b];
#pragma unroll
      for (int b = 0; b < BATCH; b++)  // an edge that two rows have is listed once
        buffer.append(column_root[b] != row_root[b] && (is_before_diagonal[b] || column_root[b] == search.passive_root),
                      Edge::of(row_root[b], column_root[b], rank[b]));
    }
  }
  buffer.flush_block();
}

// components[v] = the smallest vertex of v's tree in the caller's numbering; vertex number v of the kernel is order[v]. A thread
// writes the parents of its own vertices only, so that they stay the roots.
__device__ __forceinline__ void label_components(Search& search, const i32* order, Label* components) {
  Rank* smallest = search.best(0);
  for (i64 v = thread(); v < search.n; v += threads()) smallest[v] = NO_RANK;
  grid_barrier(&search.state->arrived);
#pragma unroll 4
  for (i64 v = thread(); v < search.n; v += threads()) {
    Vertex p = __ldca(&search.parent[v]), root = p;
    Rank vertex = order[v];
    for (Vertex above; root != (above = search.above(root)); root = above) {}
    if (root != p) search.parent[v] = root;
    if (vertex < __ldcg(&smallest[root])) atomicMin(&smallest[root], vertex);
  }
  grid_barrier(&search.state->arrived);
#pragma unroll 4
  for (i64 v = thread(); v < search.n; v += threads()) components[order[v]] = __ldcg(&smallest[__ldca(&search.parent[v])]);
}

// diagonal_offsets[v]: the first entry of row v behind the diagonal. ranks: the values of the matrix. best_ranks: two for each vertex.
extern "C" __global__ void __launch_bounds__(1024, 1)
    minimum_spanning_forest(i64 n, i64 num_edges, const Offset* row_offsets, const Offset* diagonal_offsets, const i32* columns, const Rank* ranks,
                            const Edge* light_edges, i64 num_light, Vertex* parent, Rank* best_ranks, Edge* lists, i64 list_capacity, Rank* forest,
                            State* state, const i32* order, Label* components) {
  SHARED_ARRAY(Edge, shared);
  __shared__ u64 shared_word[1];
  Search search;
  search.n = n, search.nvals = 2 * num_edges, search.columns = columns, search.light_edges = light_edges, search.parent = parent;
  search.best_ranks = best_ranks, search.lists = lists, search.list_capacity = list_capacity, search.forest = forest;
  search.state = state, search.round = 0, search.passive_root = NO_VERTEX, search.shared_word = shared_word;
  search.append_buffer = (Edge*)((unsigned char*)shared + threadIdx.x / WARP * STAGE);
  for (i64 v = thread(); v < n; v += threads()) parent[v] = v, best_ranks[v] = best_ranks[n + v] = NO_RANK;
  if (thread() == 0) {
    for (int k = 0; k < 3; k++) state->list_sizes[k] = 0;
    state->forest_size = 0;
  }
  grid_barrier(&state->arrived);
  span(search, num_light, true);
  for (u64 low = num_light, high; low < (u64)num_edges; low = high) {
    high = num_edges;
    compress_paths(search);
    if (thread() == 0) search.state->largest_tree = *search.list_size(0) = 0;
    grid_barrier(&state->arrived);
    search.passive_root = find_largest_tree(search, 2);
    list_edges_between_trees(search, row_offsets, diagonal_offsets, ranks, low, high);
    u64 size = search.barrier_and_read(search.list_size(0));
    if (size > (u64)list_capacity) {  // so many ranks fit in any case
      high = low + list_capacity;
      grid_barrier(&state->arrived);
      if (thread() == 0) *search.list_size(0) = 0;
      grid_barrier(&state->arrived);
      list_edges_between_trees(search, row_offsets, diagonal_offsets, ranks, low, high);
      size = search.barrier_and_read(search.list_size(0));
    }
    for (i64 v = thread(); v < n; v += threads()) best_ranks[v] = best_ranks[n + v] = NO_RANK;
    grid_barrier(&state->arrived);
    span(search, size, false);
  }
  compress_paths(search);
  label_components(search, order, components);
}
