// Bottom-up where few vertices are open.
#include "bfs_pull.cuh"

// One level where few are open: these are listed once, and bit 31 marks what the last level has found.
// Its bit is then in the words that were written then, and not yet in those that are written now.
enum : u32 { FRESH = 1u << 31 };

__device__ __noinline__ void list_open() {
  u32 *bits = s.visited(), *other = s.other();
  Stage<Vertex> waiting(s.buffer(), &global(s.state)->listed, global(s.waiting), s.n);
#pragma unroll 1
  for (i64 w = thread(); w < whole_warps(s.words()); w += threads()) {
    u32 word = w < s.words() ? __ldcg(&bits[w]) : ~0u;
    if (w < s.words()) other[w] = word;
#pragma unroll 1
    for (u32 open = ~word; ballot(open); open &= open - 1) waiting.push(open, w * 32 + __ffs(open) - 1);
  }
  waiting.finish();
}

__device__ __noinline__ Found pull_few() {
  const Tree tree = s.next_level();
  const Visited visited = without_hubs();
  Found mine = {0, 0};
  u32 *after = s.other(), *waiting = global(s.waiting);
#pragma unroll 1
  for (i64 i = thread(), size = s.listed; i < whole_warps(size); i += threads()) {
    Vertex item = i < size ? __ldcg(&waiting[i]) : NONE, v = item & ~FRESH, parent = NONE;
    bool looks = item != NONE && !(item & FRESH);
    i64 begin = looks ? s.in.begin(v) : 0, end = looks ? s.in.end(v) : 0;
    parent = look(visited, begin, min(begin + FEW, end));
#pragma unroll 1
    for (u32 who = ballot(looks && parent == NONE); who; who &= who - 1) {
      int l = __ffs(who) - 1;
      Vertex found = look_together(visited, from_lane(begin, l) + FEW, from_lane(end, l));
      if (FAR && found == NONE) {
        Vertex w = from_lane(v, l);
        found = look_together(visited, s.in.far_begin(w), s.in.far_end(w));
      }
      if (l == lane()) parent = found;
    }
    bool late = item != NONE && (item & FRESH);
    if (parent != NONE) tree.record(v, parent), mine.vertices++;
    if (parent != NONE || late) {
      claim(after, v);
      waiting[i] = late ? NONE : v | FRESH;
    }
  }
  return mine;
}
