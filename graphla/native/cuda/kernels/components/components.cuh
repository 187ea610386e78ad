// A forest over vertices, parent[v] <= v, whose roots are hooked below smaller ones.
#include "grid.cuh"

enum : Vertex { NONE = (Vertex)~0ull };
enum {
  EVERY = 16,    // one block of 32 vertices in so many is linked before others are compared with the largest tree
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

// Link some of the vertices, which joins the large trees: few are in others.
__device__ __forceinline__ void link_some(i64 n, const Forest& forest, const Vertex* other) {
  for (i64 i = thread();; i += threads()) {
    i64 v = i / 32 * (32 * EVERY) + i % 32;
    if (v >= n) return;
    if (other[v] != (Vertex)v) forest.link(v, other[v]);
  }
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
  for (i64 v = thread(); v < round_up_to_warps(n); v += threads()) {
    bool outside = v < n && !forest.in_giant(v);
    if (outside && other[v] != (Vertex)v) {
      forest.link(v, other[v]);
      outside = !forest.in_giant(v);
    }
    link_row(forest, rows, outside, v);
    if (into.ends) link_row(forest, into, outside, v);
  }
}
