// A minimum spanning forest as one cooperative launch.
#include "minimum_spanning_forest.cuh"

// Tie all vertices to their roots; or nearly: whoever went the same way may write an older end of it last.
__device__ __noinline__ void compress(const Search& search) {
  const Search s = search;
#pragma unroll 4
  for (i64 v = thread(); v < s.n; v += threads()) {
    Vertex p = s.above(v), above = s.above(p);
    if (p != above) s.parent[v] = root_of(s, above);
  }
}

// The sum of x over the lanes up to this one; hubs together may have more entries than an int counts.
__device__ __forceinline__ i64 scan(i64 x) {
  for (int d = 1; d < WARP; d *= 2) {
    i64 before = from_lane(x, lane() - d);
    if (lane() >= d) x += before;
  }
  return x;
}

// List the edges of rank low..high-1 that join trees, by the rows of vertices outside the tree that waits: if that
// has most of the entries they are few, and no other edge joins anything. Without one the first parts of all rows,
// up to the diagonal, have every edge once. Rows are laid end to end and dealt to the lanes of a warp.
__device__ __noinline__ void list_joining(const Search& search, const Offset* ends, const Offset* middles, const Rank* ranks,
                                          u64 low, u64 high) {
  const Search s = search;
  const bool whole = s.waits != NOBODY;
  AppendBuffer<Edge> stage(s.buffer, s.count(0), s.list(0), s.capacity);
#pragma unroll 1
  for (i64 base = warp() * WARP; base < s.n; base += warps() * WARP) {
    i64 v = base + lane();
    Vertex mine = v < s.n ? __ldca(&s.parent[v]) : s.waits;
    bool outside = v < s.n && mine != s.waits;
    i64 begin = outside ? ends[v] : 0;
    i64 count = outside ? (whole ? ends[v + 1] : middles[v]) - begin : 0, end = scan(count), total = from_lane(end, WARP - 1);
    i64 shift = begin - (end - count);
#pragma unroll 1
    for (i64 first = 0; first < total; first += WARP * BATCH) {
      Vertex root[BATCH], other[BATCH];
      Rank rank[BATCH];
      bool lower[BATCH];
#pragma unroll
      for (int b = 0; b < BATCH; b++) {
        i64 e = item(first, b);
        int k = 0;  // entry e is of row k: so many rows end at it or before
        for (int step = WARP / 2; step; step /= 2) k += from_lane(end, k + step - 1) <= e ? step : 0;
        i64 p = from_lane(shift, k) + e;
        root[b] = from_lane(mine, k), rank[b] = NONE, other[b] = 0;
        if (e < total) rank[b] = load_streaming(&ranks[p]), other[b] = load_streaming(&s.indices[p]);
        lower[b] = (i64)other[b] < base + k;
      }
#pragma unroll
      for (int b = 0; b < BATCH; b++)
        other[b] = rank[b] >= low && rank[b] < high ? __ldca(&s.parent[other[b]]) : root[b];
#pragma unroll
      for (int b = 0; b < BATCH; b++)  // of those that two rows have, one
        stage.append(other[b] != root[b] && (lower[b] || other[b] == s.waits), Edge::of(root[b], other[b], rank[b]));
    }
  }
  stage.flush_block();
}

// The smallest vertex of each tree, for all of its vertices: number v is vertex order[v]. Each ties itself alone to
// its root, so that it stays.
__device__ __forceinline__ void label(Search& s, const i32* order, Label* component) {
  Rank* least = s.lowest(0);
  for (i64 v = thread(); v < s.n; v += threads()) least[v] = NONE;
  grid_barrier(&s.state->arrived);
#pragma unroll 4
  for (i64 v = thread(); v < s.n; v += threads()) {
    Vertex p = __ldca(&s.parent[v]), root = p;
    Rank vertex = order[v];
    for (Vertex above; root != (above = s.above(root)); root = above) {}
    if (root != p) s.parent[v] = root;
    if (vertex < __ldcg(&least[root])) atomicMin(&least[root], vertex);
  }
  grid_barrier(&s.state->arrived);
#pragma unroll 4
  for (i64 v = thread(); v < s.n; v += threads()) component[order[v]] = __ldcg(&least[__ldca(&s.parent[v])]);
}

// Light edges first: they join most vertices into one tree. Of the others only those are read that have an end
// outside it; where they are more than there is room for, those of lower rank first.
extern "C" __global__ void __launch_bounds__(1024, 1)
    minimum_spanning_forest(i64 n, i64 edges, const Offset* ends, const Offset* middles, const i32* indices, const Rank* ranks,
                            const Edge* light, i64 lights, Vertex* parent, Rank* best, Edge* lists, i64 capacity, Rank* forest,
                            State* state, const i32* order, Label* component) {
  SHARED_ARRAY(Edge, shared);
  __shared__ u64 words_seen[1];
  Search s;
  s.n = n, s.nvals = 2 * edges, s.indices = indices, s.light = light, s.parent = parent, s.best = best, s.lists = lists, s.capacity = capacity, s.forest = forest;
  s.state = state, s.round = 0, s.waits = NOBODY, s.words_seen = words_seen;
  s.buffer = (Edge*)((unsigned char*)shared + threadIdx.x / WARP * STAGE);
  for (i64 v = thread(); v < n; v += threads()) parent[v] = v, best[v] = best[n + v] = NONE;
  if (thread() == 0) {
    for (int k = 0; k < 3; k++) state->counts[k] = 0;
    state->chosen = 0;
  }
  grid_barrier(&state->arrived);
  span(s, lights, true);
  for (u64 low = lights, high; low < (u64)edges; low = high) {
    high = edges;
    compress(s);
    if (thread() == 0) s.state->largest = *s.count(0) = 0;
    grid_barrier(&state->arrived);
    s.waits = largest_tree(s, 2);
    list_joining(s, ends, middles, ranks, low, high);
    u64 size = s.agree(s.count(0));
    if (size > (u64)capacity) {
      high = low + capacity;
      grid_barrier(&state->arrived);
      if (thread() == 0) *s.count(0) = 0;
      grid_barrier(&state->arrived);
      list_joining(s, ends, middles, ranks, low, high);
      size = s.agree(s.count(0));
    }
    for (i64 v = thread(); v < n; v += threads()) best[v] = best[n + v] = NONE;
    grid_barrier(&state->arrived);
    span(s, size, false);
  }
  compress(s);
  label(s, order, component);
}
