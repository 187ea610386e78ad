// Pull: vertices look among their in-neighbours, the lightest edges first, for a way that is shorter.
#include "sssp.cuh"

enum { BATCH = 4 };    // edges that a lane has in flight
enum { FASTER = 32 };  // times a larger step once distances are nearly right

// Let each vertex v look, by one lane or where its row is long by a warp: look(v, p, end, stride) with a lane's
// first edge returns what this lane has found, `join` makes one of it, and accept(has, v, found) is called
// by all lanes.
template <class Look, class Join, class Accept>
__device__ __forceinline__ void each_row(const Search& s, Look look, Join join, Accept accept) {
#pragma unroll 1
  for (i64 v = s.warp; v < s.in.longs; v += warps()) accept(lane() == 0, v, join(look(v, s.in.ends[v] + lane(), s.in.ends[v + 1], WARP)));
#pragma unroll 1
  for (i64 base = s.in.longs + s.warp * WARP; base < s.n; base += warps() * WARP) {
    i64 v = base + lane();
    bool has = v < s.n;
    accept(has, v, has ? look(v, s.in.ends[v], s.in.ends[v + 1], 1) : 0);
  }
}

// Lower every distance as far as in-neighbours allow. Those nearer than `floor` have been looked at before, so
// that an edge of weight w is of no help to v where floor + w >= d(v): nor are those behind it.
// Queue what has changed, and count its edges.
PHASE Found pull(const Search& search, Code floor) {
  const Search s = copy_of(search);
  AppendBuffer<Item> stage(s.buffer, &s.tally(1)->queued, s.queue(1), s.capacity);
  Found mine = {0, ~0ull};
  auto look = [&](i64 v, i64 p, i64 end, int stride) {
    Code best = __ldcg(&s.dist[v]);
    for (; p < end && floor < best; p += BATCH * stride) {
      Edge e[BATCH];
      Code d[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        bool there = p + k * stride < end;
        if (there) e[k] = s.in.edges[p + k * stride];
        d[k] = there && plus(floor, e[k].weight) < best ? 0 : s.infinity;
      }
      bool more = d[0] == 0;
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        if (d[k] == 0) d[k] = __ldcg(&s.dist[e[k].to]);
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        if (d[k] < s.infinity) best = min(best, plus(d[k], e[k].weight));
      if (!more) break;
    }
    return best;
  };
  auto least = [](Code best) { return (Code)warp_min(best); };
  each_row(s, look, least, [&](bool has, i64 v, Code best) {
    bool lower = has && best < __ldcg(&s.dist[v]);
    if (lower) {
      s.dist[v] = best;
      mine.count += s.out.ends[v + 1] - s.out.ends[v];
      mine.least = min(mine.least, (u64)best);
    }
    stage.append(lower, Item::of(v, best));
  });
  stage.flush_block();
  return mine;
}

// Pull until so little changes that pushing it on takes less than a sweep over all rows.
__device__ __forceinline__ void pull_all(Search& s) {
  Code floor = 0;
  do {
    if (thread() == 0) s.tally(2)->clear();
    close_round(s, pull(s, floor));
    floor = min(s.least, (u64)s.infinity);
  } while (s.count > (u64)(s.n + s.nvals / 64));
  s.lost = false;
  if (!s.stepped) s.step = value(s.infinity) / FASTER < s.step ? value(s.infinity) : s.step * FASTER;
  s.stepped = true;
}

// Give each reached vertex a parent u with d(u) + w = d(v): one that is nearer to the source. Where there is
// none, `again`, one at the same distance that has a parent: so no two are each other's.
PHASE Found hook(const Search& search, u32* parent, Vertex source, bool again) {
  const Search s = copy_of(search);
  Found mine = {0, ~0ull};
  auto look = [&](i64 v, i64 p, i64 end, int stride) {
    Code mine = __ldcg(&s.dist[v]);
    if (v == source) return (u32)source;
    if (mine == s.infinity) return (u32)NONE;
    if (again && __ldcg(&parent[v]) != NONE) return __ldcg(&parent[v]);
    for (; p < end; p += BATCH * stride) {
      Edge e[BATCH];
      bool may[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        may[k] = p + k * stride < end;
        if (may[k]) e[k] = s.in.edges[p + k * stride];
        may[k] = may[k] && plus(0, e[k].weight) <= mine;
      }
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        Code d = may[k] ? __ldcg(&s.dist[e[k].to]) : s.infinity;
        bool above = again ? d == mine && __ldcg(&parent[e[k].to]) != NONE : d < mine;
        if (d != s.infinity && above && plus(d, e[k].weight) == mine) return (u32)e[k].to;
      }
      if (!may[0]) break;
    }
    return (u32)NONE;
  };
  auto any = [](u32 found) {
    u32 who = ballot(found != NONE);
    return from_lane(found, who ? __ffs(who) - 1 : 0);
  };
  each_row(s, look, any, [&](bool has, i64 v, u32 found) {
    if (!has) return;
    parent[v] = found;
    mine.count += found == NONE && __ldcg(&s.dist[v]) != s.infinity;
  });
  return mine;
}

__device__ __forceinline__ void hook_all(Search& s, u32* parent, Vertex source) {
  bool again = false;
  do {
    if (thread() == 0) s.tally(2)->clear();
    close_round(s, hook(s, parent, source, again));
    again = true;
  } while (s.count);
}
