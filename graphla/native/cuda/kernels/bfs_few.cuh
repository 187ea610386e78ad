// Bottom-up where few vertices are open: these are on a list. A listed vertex may be visited: the last level has found
// it, and its bit is then not yet in the words that are written now.
#include "bfs_pull.cuh"

// Let the bits that are written now show what a level of all open vertices has found, while others claim in them.
__device__ __forceinline__ void catch_up() {
  u32 *bits = s.visited(), *other = s.other();
  for (int w = thread(); w < s.words(); w += threads())
    if (u32 ahead = __ldcg(&bits[w]) & ~__ldcg(&other[w])) atomicOr(&other[w], ahead);
}

// A listed vertex and its in-neighbours: the first few, and where the others are.
struct Open {
  Vertex v, near[4];
  bool more;
  i64 begin, end;
  __device__ __forceinline__ Open(Vertex item, bool is) : v(item & ~MORE), more(is && (item & MORE)) {
    u64 pair = is ? global(s.heads)[v] : ~0ull;
    near[0] = (u32)pair, near[1] = is ? (u32)(pair >> 32) & ~MORE : NONE, near[2] = near[3] = NONE;
    begin = more ? s.in.begin(v) + 2 : 0, end = more ? s.in.end(v) : 0;
  }
  // Take two more of the row, for a vertex that asks again and again.
  __device__ __forceinline__ void take_two() {
#pragma unroll
    for (int k = 2; k < 4; k++)
      if (begin < end) near[k] = s.in.at(begin++);
  }
  // A visited one of them, or NONE; all lanes of the warp come here, those that look and others.
  __device__ __forceinline__ Vertex visited_one(const Visited& visited, bool looks) const {
    Vertex parent = NONE;
    if (looks) {
      u32 hits = visited.which(near);
#pragma unroll
      for (int k = 3; k >= 0; k--)
        if (hits >> k & 1) parent = near[k];
      if (parent == NONE) parent = look(visited, begin, min(begin + FEW, end));
    }
#pragma unroll 1
    for (u32 who = ballot(looks && parent == NONE && more && (FAR || begin + FEW < end)); who; who &= who - 1) {
      int l = __ffs(who) - 1;
      Vertex found = look_together(visited, from_lane(begin, l) + FEW, from_lane(end, l));
      if (FAR && found == NONE) {
        Vertex w = from_lane(v, l);
        found = look_together(visited, s.in.far_begin(w), s.in.far_end(w));
      }
      if (l == lane()) parent = found;
    }
    return parent;
  }
};

// One level of those on the list, which leaves the next list.
__device__ __noinline__ Found pull_listed(bool behind) {
  i64 size = s.at.kept;
  bool many = size > 2 * threads();  // so that copying the hubs' bits pays
  if (many) keep_hubs();
  if (behind) catch_up();
  Stage<Vertex> kept(s.buffer(), &s.tally(1)->kept, s.list(1), s.n);
  const Visited visited = many ? with_hubs() : without_hubs();
  Found mine = {0, 0};
  const Vertex* list = s.list(0);
  u32* after = s.other();
#pragma unroll 1
  for (i64 i = spread(); i < whole_warps(size); i += threads()) {
    bool is = i < size;
    Vertex item = is ? __ldcg(&list[i]) : 0;
    const Open open(item, is);
    bool late = is && Visited::bit(visited.of_other(open.v), open.v);
    Vertex parent = open.visited_one(visited, is && !late);
    if (parent != NONE) s.next_level().record(open.v, parent), mine.vertices++;
    if (parent != NONE || late) claim(after, open.v);
    kept.push(is && !late, item);
  }
  kept.finish();
  return mine;
}

// The last levels, of no more vertices than threads: each stays with one, and a level is as long as a barrier. They go
// on while their rows are short, or what they find is much. Those never found are marked as such.
__device__ __noinline__ void pull_last(bool behind) {
  i64 i = spread();
  bool is = i < s.at.kept;
  Open mine(is ? __ldcg(&s.list(0)[i]) : 0, is);
  mine.take_two();
  bool late = is && Visited::bit(without_hubs().of_other(mine.v), mine.v), open = is && !late;
  if (behind) catch_up();
  do {
    if (thread() == 0) s.tally(2)->clear();
    const Visited visited = without_hubs();
    Vertex parent = mine.visited_one(visited, open);
    bool hit = parent != NONE;
    if (hit) s.next_level().record(mine.v, parent);
    if (hit || late) claim(s.other(), mine.v);
    late = hit, open = open && !hit;
    close_level(s.tally(1), {hit, open ? (u64)(mine.end - mine.begin) : 0}, false, [&](const Totals& of) {
      s.at.level++, s.turn++;
      s.at.open -= of.found, s.at.found = of.found, s.at.edges = of.edges, s.at.queued = 0;
      s.now = 1 - s.now;
    });
  } while (s.at.found && s.at.open && (s.at.edges <= REST || s.at.found * BETA >= s.at.open));
  if (open && !s.at.found) global(s.tree)[mine.v] = NONE;
}
