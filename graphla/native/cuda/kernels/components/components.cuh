// Afforest: a forest over the vertices, parent[v] <= v, whose trees are joined by hooking roots below smaller ones. At the end
// each tree is a component.
//
// Conflicts: a root is hooked by compare-and-swap. Other writes to `parent` only replace a parent by an ancestor, so a reader
// that sees an old value follows a longer path to the same root.
#include "grid.cuh"

enum : Vertex { NONE = (Vertex)~0ull };
enum {
  SAMPLE_STEP = 16,  // one of this many groups of 32 vertices is linked before the largest tree is chosen
  SHORT_ROW = 32,    // neighbours that one thread links
  BATCH = 3          // vertices that a thread has in flight
};

struct Rows {
  const Offset* offsets;
  const Vertex* columns;
};

struct Forest {
  Vertex* parent;
  Vertex giant;  // the root of the largest tree when it was chosen: an ancestor of all vertices of that tree

  // The root of v. Each step halves the path: v's parent becomes its grandparent.
  __device__ __forceinline__ Vertex root(Vertex v) const {
    Vertex above = parent[v];
    for (;;) {
      Vertex next = parent[above];
      if (next == above) return above;
      if (above != giant) parent[v] = next;
      v = above, above = next;
    }
  }

  // Whether v is the giant or below it; if so, v's parent becomes the giant.
  __device__ __forceinline__ bool is_in_giant(Vertex v) const {
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

  // Join the trees of u and v: hook the larger root below the smaller one.
  __device__ __forceinline__ void link(Vertex u, Vertex v) const {
    for (u = root(u), v = root(v); u != v;) {
      Vertex high = max(u, v), low = min(u, v), above = atomicCAS(&parent[high], high, low);
      if (above == high || above == low) return;
      u = root(above), v = low;
    }
  }
};

// Link a sample of the vertices with one other neighbour each, which joins most large trees.
__device__ __forceinline__ void link_sample(i64 n, const Forest& forest, const Vertex* other_neighbour) {
  for (i64 i = thread();; i += threads()) {
    i64 v = i / 32 * (32 * SAMPLE_STEP) + i % 32;
    if (v >= n) return;
    if (other_neighbour[v] != (Vertex)v) forest.link(v, other_neighbour[v]);
  }
}

// Link each lane's vertex v with all its neighbours, a long row by the whole warp. All lanes of the warp must call this.
__device__ __forceinline__ void link_row(const Forest& forest, Rows rows, bool has_vertex, Vertex v) {
  i64 begin = has_vertex ? rows.offsets[v] : 0, end = has_vertex ? rows.offsets[v + 1] : 0;
  u32 lanes_with_long_row = ballot(end - begin > SHORT_ROW);
  if (end - begin <= SHORT_ROW)
    for (i64 p = begin; p < end; p++) forest.link(v, rows.columns[p]);
  for (; lanes_with_long_row; lanes_with_long_row &= lanes_with_long_row - 1) {
    int l = __ffs(lanes_with_long_row) - 1;
    Vertex u = from_lane(v, l);
    i64 last = from_lane(end, l);
    for (i64 p = from_lane(begin, l) + lane(); p < last; p += WARP) forest.link(u, rows.columns[p]);
  }
}

// Link the vertices outside the giant's tree: with one other neighbour, and if they are still outside, with all neighbours, in
// both directions if there are `in_rows`.
__device__ __forceinline__ void link_outside_giant(i64 n, const Forest& forest, Rows rows, Rows in_rows, const Vertex* other_neighbour) {
  for (i64 v = thread(); v < round_up_to_warps(n); v += threads()) {
    bool is_outside = v < n && !forest.is_in_giant(v);
    if (is_outside && other_neighbour[v] != (Vertex)v) {
      forest.link(v, other_neighbour[v]);
      is_outside = !forest.is_in_giant(v);
    }
    link_row(forest, rows, is_outside, v);
    if (in_rows.offsets) link_row(forest, in_rows, is_outside, v);
  }
}
