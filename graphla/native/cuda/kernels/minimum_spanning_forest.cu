// A minimum spanning forest as one cooperative launch.
#include "minimum_spanning_forest.cuh"

// Tie all vertices to their roots; or nearly: whoever went the same way may write an older end of it last.
__device__ __noinline__ void compress(const Search& s) {
  Vertex* parent = s.parent;
#pragma unroll 4
  for (i64 v = thread(); v < s.n; v += threads()) {
    Vertex p = __ldcg(&parent[v]), above = __ldcg(&parent[p]);
    if (p != above) parent[v] = root_of(parent, above);
  }
}

// The root of the tree that holds most of a sample of vertices.
__device__ __forceinline__ Vertex largest_tree(Search& s) {
  __shared__ Vertex roots[SAMPLE];
  if (blockIdx.x == 0) {
    for (int k = threadIdx.x; k < SAMPLE; k += blockDim.x) roots[k] = __ldcg(&s.parent[(u32)k * 2654435761u % (u32)s.n]);
    __syncthreads();
    for (int k = threadIdx.x; k < SAMPLE; k += blockDim.x) {
      u32 same = 0;
      for (int j = 0; j < SAMPLE; j++) same += roots[j] == roots[k];
      atomicMax(&s.state->largest, (u64)same << 32 | roots[k]);
    }
  }
  return (Vertex)s.agree(&s.state->largest);
}

// The sum of x over the lanes up to this one; hubs together may have more entries than an int counts.
__device__ __forceinline__ i64 scan(i64 x) {
  for (int d = 1; d < WARP; d *= 2) {
    i64 before = from_lane(x, lane() - d);
    if (lane() >= d) x += before;
  }
  return x;
}

// List the edges of rank low..high-1 that join trees, by the rows of vertices outside the largest one: they are
// few, and no other edge joins anything. Rows are laid end to end and dealt to the lanes of a warp.
__device__ __noinline__ void list_joining(const Search& search, const Offset* ends, const i32* indices, const Rank* ranks,
                                          u64 low, u64 high, Vertex largest) {
  const Search s = search;
  Stage<Edge> stage(s.buffer, s.count(0), s.list(0), s.capacity);
#pragma unroll 1
  for (i64 base = warp() * WARP; base < s.n; base += warps() * WARP) {
    i64 v = base + lane();
    Vertex mine = v < s.n ? __ldcg(&s.parent[v]) : largest;
    bool outside = mine != largest;
    i64 begin = outside ? ends[v] : 0;
    i64 count = outside ? ends[v + 1] - begin : 0, end = scan(count), total = from_lane(end, WARP - 1);
#pragma unroll 1
    for (i64 first = 0; first < total; first += WARP) {
      i64 e = first + lane();
      int k = 0;  // entry e is of row k: so many rows end at it or before
      for (int step = WARP / 2; step; step /= 2) k += from_lane(end, k + step - 1) <= e ? step : 0;
      i64 p = from_lane(begin - (end - count), k) + e;
      Vertex root = from_lane(mine, k), other = root;
      Rank rank = e < total ? ranks[p] : NONE;
      bool wanted = rank >= low && rank < high;
      if (wanted) {
        Vertex u = indices[p];
        other = __ldcg(&s.parent[u]);
        wanted = other == largest || (other != root && (i64)u < base + k);  // once, of those that two rows have
      }
      stage.push(wanted, Edge::of(root, other, rank));
    }
  }
  stage.finish();
}

// The smallest vertex of each tree, for all of its vertices. Each ties itself alone to its root, so that it stays.
__device__ __forceinline__ void label(Search& s, i64* component) {
  Rank* least = s.lowest(0);
  for (i64 v = thread(); v < s.n; v += threads()) least[v] = NONE;
  grid_barrier(&s.state->arrived);
  for (i64 v = thread(); v < s.n; v += threads()) {
    Vertex p = __ldcg(&s.parent[v]), root = p;
    for (Vertex above; root != (above = __ldcg(&s.parent[root])); root = above) {}
    if (root != p) s.parent[v] = root;
    if ((Rank)v < __ldcg(&least[root])) atomicMin(&least[root], (Rank)v);
  }
  grid_barrier(&s.state->arrived);
  for (i64 v = thread(); v < s.n; v += threads()) component[v] = __ldcg(&least[__ldcg(&s.parent[v])]);
}

// Light edges first: they join most vertices into one tree. Of the others only those are read that have an end
// outside it; where they are more than there is room for, those of lower rank first.
extern "C" __global__ void __launch_bounds__(1024, 1)
    minimum_spanning_forest(i64 n, i64 edges, const Offset* ends, const i32* indices, const Rank* ranks, const Vertex* light,
                            i64 lights, Vertex* parent, Rank* best, Edge* lists, i64 capacity, Rank* forest, State* state,
                            i64* component) {
  SHARED_ARRAY(Edge, shared);
  __shared__ u64 words_seen[1];
  Search s;
  s.n = n, s.light = light, s.parent = parent, s.best = best, s.lists = lists, s.capacity = capacity, s.forest = forest;
  s.state = state, s.round = 0, s.words_seen = words_seen;
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
    Vertex largest = largest_tree(s);
    list_joining(s, ends, indices, ranks, low, high, largest);
    u64 size = s.agree(s.count(0));
    if (size > (u64)capacity) {
      high = low + capacity;
      grid_barrier(&state->arrived);
      if (thread() == 0) *s.count(0) = 0;
      grid_barrier(&state->arrived);
      list_joining(s, ends, indices, ranks, low, high, largest);
      size = s.agree(s.count(0));
    }
    for (i64 v = thread(); v < n; v += threads()) best[v] = best[n + v] = NONE;
    grid_barrier(&state->arrived);
    span(s, size, false);
  }
  compress(s);
  label(s, component);
}
