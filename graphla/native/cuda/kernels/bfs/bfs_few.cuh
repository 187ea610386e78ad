// Bottom-up where few vertices are open: these are listed, and each stays with one thread until the end.
#include "bfs_pull.cuh"

// List the open vertices, and let both copies of the visited bits be the same. Returns how many there are.
__device__ __noinline__ i64 list_open() {
  __shared__ u32 total;
  __shared__ u64 first;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  u32 *bits = s.visited(), *other = s.other();
  int count = 0;
  for (int w = thread(); w < s.words(); w += threads()) {
    u32 word = __ldcg(&bits[w]);
    other[w] = word, count += __popc(~word);
  }
  int end = warp_scan(count);
  u32 place = 0;
  if (lane() == WARP - 1) place = atomicAdd(&total, (u32)end);
  place = from_lane(place, WARP - 1) + end - count;
  __syncthreads();
  if (threadIdx.x == 0) first = atomicAdd(&s.tally(1)->waiting, (u64)total);
  __syncthreads();
  Vertex* list = global(s.waiting) + first + place;
  for (int w = thread(); count && w < s.words(); w += threads())
    for (u32 open = ~__ldcg(&bits[w]); open; open &= open - 1) *list++ = w * 32 + __ffs(open) - 1;
  return agree(&s.tally(1)->waiting);
}

// An open vertex and its in-neighbours: the first few, and where the others are.
struct Open {
  Vertex v, near[4];
  bool more;
  i64 begin, end;
  __device__ __forceinline__ Open(bool is, i64 i) {
    v = is ? __ldcg(&s.waiting[i]) : 0;
    u64 pair = is ? global(s.heads)[v] : ~0ull;
    begin = is ? s.in.begin(v) + 2 : 0, end = is ? s.in.end(v) : 0, more = is && pair >> 32 & MORE;
    near[0] = (u32)pair, near[1] = is ? (u32)(pair >> 32) & ~MORE : NONE, near[2] = near[3] = NONE;
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

// The last levels, of no more vertices than threads: a level is as long as a barrier. They go on while the rows are
// short, or what they find is much. A bit is set where it is read in the next level, and then in the other copy.
// Those never found are marked as such.
__device__ __noinline__ void pull_last() {
  i64 size = list_open(), i = spread();
  bool open = i < size, late = false;
  const Open mine(open, i);
  do {
    if (thread() == 0) s.tally(2)->clear();
    const Visited visited = without_hubs();
    Vertex parent = mine.visited_one(visited, open);
    bool hit = parent != NONE;
    if (hit) s.next_level().record(mine.v, parent);
    if (hit || late) claim(s.other(), mine.v);
    late = hit, open = open && !hit;
    close_level(s.tally(1), {hit, open ? (u64)max(mine.end - mine.begin, (i64)0) : 0}, false, [&](const Totals& of) {
      s.at.level++, s.turn++;
      s.at.open -= of.found, s.at.found = of.found, s.at.before = s.at.edges, s.at.edges = of.edges, s.at.queued = 0;
      s.now = 1 - s.now;
    });
  } while (s.at.found && s.at.open && (s.at.edges <= REST || s.at.found * BETA >= s.at.open));
  if (open && !s.at.found) global(s.tree)[mine.v] = NONE;
}
