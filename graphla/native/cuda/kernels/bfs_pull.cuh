// Bottom-up: each open vertex looks among its in-neighbours for a visited one. Had one been visited before
// the last level, so would the vertex be: any visited neighbour is on the frontier.
#include "bfs.cuh"

// Which vertices are visited; the bits of the hubs are in shared memory.
struct Visited {
  const u32 *hubs, *bits;
  int hub_words;
  __device__ __forceinline__ bool has(Vertex u) const {
    u32 word = (int)(u >> 5) < hub_words ? hubs[u >> 5] : __ldcg(&bits[u >> 5]);
    return word >> (u & 31) & 1;
  }
};

// The bits of the hubs into shared memory, two words at a time.
__device__ __forceinline__ int hub_words() { return min((int)HUB_WORDS, s.words()) & ~1; }
__device__ __forceinline__ Visited with_hubs() { return {of_block(s.hubs), s.visited(), hub_words()}; }
__device__ __forceinline__ Visited without_hubs() { return {of_block(s.hubs), s.visited(), 0}; }
__device__ __forceinline__ void keep_hubs() {
  const u64* from = (const u64*)s.visited();
#pragma unroll 8
  for (int w = threadIdx.x; w < hub_words() / 2; w += blockDim.x) of_block((u64*)s.hubs)[w] = __ldcg(&from[w]);
  __syncthreads();
}

enum { BATCH = 4 };  // words of visited bits that a warp has in flight

// First pass: the two neighbours of highest degree, which lie side by side for all vertices.
__device__ __noinline__ Found look_at_heads() {
  Stage<Vertex> waiting(s.buffer(), &s.tally(1)->waiting, global(s.waiting), s.n);
  const Tree tree = s.next_level();
  const Visited visited = with_hubs();
  Found mine = {0, 0};
  const u32 *before = s.visited(), *heads = global(s.heads), *second_heads = heads + s.n;
  u32 *after = s.other(), now[BATCH], next[BATCH];
  const u32 last = s.words() * 32u, stride = warps() * BATCH * WARP, start = warp() * BATCH * WARP;
  Vertex first[BATCH], second[BATCH];
  auto ask_words = [&](u32 base) {
#pragma unroll
    for (int k = 0; k < BATCH; k++) next[k] = base + k * WARP < last ? __ldcg(&before[(base + k * WARP) >> 5]) : ~0u;
  };
  auto ask_heads = [&](u32 base) {
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      u32 v = base + k * WARP + lane();
      bool open = !(next[k] >> (v & 31) & 1);
      first[k] = open ? heads[v] : NONE;
      second[k] = open ? second_heads[v] : NONE;
    }
  };
  ask_words(start);
  ask_heads(start);
  for (int k = 0; k < BATCH; k++) now[k] = next[k];
  ask_words(start + stride);
#pragma unroll 1
  for (u32 base = start; base < last; base += stride) {  // while words and heads of the next batch are on their way
    bool open[BATCH], one[BATCH], two[BATCH];
    Vertex was_first[BATCH], was_second[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) was_first[k] = first[k], was_second[k] = second[k], open[k] = !(now[k] >> ((base + k * WARP + lane()) & 31) & 1), now[k] = next[k];
    ask_heads(base + stride);
    ask_words(base + 2 * stride);
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      one[k] = was_first[k] != NONE && visited.has(was_first[k]);
      two[k] = was_second[k] != NONE && visited.has(was_second[k]);
    }
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      u32 v = base + k * WARP + lane();
      if (base + k * WARP >= last) break;
      bool hit = one[k] || two[k];
      if (hit) tree.record(v, one[k] ? was_first[k] : was_second[k]);
      mine.vertices += hit;
      put(after, v, !open[k] || hit);
      waiting.gather(was_second[k] != NONE && !hit, v);
    }
    waiting.spill(BATCH);
  }
  waiting.flush();
  return mine;
}

// A visited one of entries begin..end-1, which one thread looks through; or NONE.
__device__ __forceinline__ Vertex look(const Visited& visited, i64 begin, i64 end) {
#pragma unroll 1
  for (i64 p = begin; p < end; p += 4) {
    Vertex u[4];
    bool hit[4];
#pragma unroll
    for (int k = 0; k < 4; k++) u[k] = p + k < end ? s.in.at(p + k) : NONE;
#pragma unroll
    for (int k = 0; k < 4; k++) hit[k] = u[k] != NONE && visited.has(u[k]);
#pragma unroll
    for (int k = 0; k < 4; k++)
      if (hit[k]) return u[k];
  }
  return NONE;
}

// Likewise, by all lanes of a warp.
__device__ __forceinline__ Vertex look_together(const Visited& visited, i64 begin, i64 end) {
#pragma unroll 1
  for (i64 base = begin; base < end; base += 4 * WARP) {
    Vertex u[4], hit = NONE;
#pragma unroll
    for (int k = 0; k < 4; k++) u[k] = base + k * WARP + lane() < end ? s.in.at(base + k * WARP + lane()) : NONE;
#pragma unroll
    for (int k = 0; k < 4; k++)
      if (u[k] != NONE && visited.has(u[k])) hit = u[k];
    if (u32 who = ballot(hit != NONE)) return from_lane(hit, __ffs(who) - 1);
  }
  return NONE;
}

// Second pass: the next neighbours of those that wait; what is left of long rows goes to the third.
__device__ __noinline__ Found look_further(i64 size) {
  Stage<Piece> pieces(s.buffer(), &s.tally(1)->pieces, global(s.queues), s.capacity);
  const Tree tree = s.next_level();
  const Visited visited = with_hubs();
  Found mine = {0, 0};
  u32 *after = s.other(), *waiting = global(s.waiting);
#pragma unroll 1
  for (i64 i = thread(); i < whole_warps(size); i += threads()) {
    i64 begin = 0, end = 0, far = 0, far_end = 0;
    Vertex v = 0, parent = NONE;
    if (i < size) {
      v = __ldcg(&waiting[i]);
      begin = s.in.begin(v) + 2, end = s.in.end(v);
      parent = look(visited, begin, min(begin + FEW, end));
      if (parent == NONE) begin += FEW, far = s.in.far_begin(v), far_end = s.in.far_end(v);
      else {
        end = begin;
        tree.record(v, parent);
        claim(after, v);
        mine.vertices++;
      }
    }
#pragma unroll 1
    for (; ballot(begin < end); begin += LONG) pieces.push(begin < end, Piece::of(v, begin, min((i64)LONG, end - begin)));
    if (FAR)
#pragma unroll 1
      for (; ballot(far < far_end); far += LONG) pieces.push(far < far_end, Piece::of(v, far, min((i64)LONG, far_end - far)));
  }
  pieces.flush();
  return mine;
}

// Third pass: a warp for each of those pieces.
__device__ __noinline__ Found look_through_pieces(i64 size) {
  const Piece* pieces = global(s.queues);
  const Tree tree = s.next_level();
  const Visited visited = with_hubs();
  Found mine = {0, 0};
  u32* after = s.other();
#pragma unroll 1
  for (i64 i = warp(); i < size; i += warps()) {
    i64 begin = __ldcg(&pieces[i].begin);
    u64 who = __ldcg(&pieces[i].who);
    Vertex v = who >> 32;
    bool done = __ldcg(&after[v >> 5]) >> (v & 31) & 1;  // by another of its pieces; as one lane sees it
    if (from_lane(done, 0)) continue;
    Vertex parent = look_together(visited, begin, begin + (u32)who);
    if (parent != NONE && lane() == 0 && claim(after, v)) {
      tree.record(v, parent);
      mine.vertices++;
    }
  }
  return mine;
}

// One level of all open vertices.
__device__ __forceinline__ Found pull() {
  keep_hubs();
  Found mine = look_at_heads();
  if (i64 size = agree(&s.tally(1)->waiting)) {
    mine.vertices += look_further(size).vertices;
    mine.vertices += look_through_pieces(agree(&s.tally(1)->pieces)).vertices;
  }
  return mine;
}

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
  waiting.flush();
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
