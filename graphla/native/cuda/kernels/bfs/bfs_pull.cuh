// Bottom-up: each open vertex looks among its in-neighbours for a visited one. Had one been visited before
// the last level, so would the vertex be: any visited neighbour is on the frontier.
#include "bfs.cuh"

enum { BATCH = 4 };  // words of visited bits that a warp has in flight

// First pass: the two neighbours of highest degree, which lie together for all vertices; the second is asked where the
// first says no. Meanwhile the words of the next batch are on their way, and then its heads.
__device__ __noinline__ Found look_at_heads() {
  AppendBuffer<Vertex> waiting(s.buffer(), &s.tally(1)->waiting, global(s.waiting), s.n);
  const Tree tree = s.next_level();
  const Visited visited = with_hubs();
  const u64* heads = global(s.heads);
  const u32* before = s.visited();
  u32* after = s.other();
  const int words = s.words(), stride = warps() * BATCH, start = warp() * BATCH;
  int found = 0;
  u32 near[BATCH];
  u64 pair[BATCH];
  auto ask_words = [&](int w) {
    const u32* from = before + w;
#pragma unroll
    for (int k = 0; k < BATCH; k++) near[k] = w + k < words ? __ldcg(&from[k]) : ~0u;
  };
  for (u32 bit = lane(); bit < 32; bit += WARP) {  // once, where a warp is 32 lanes
    auto ask_heads = [&](int w) {
      const u64* from = heads + (i64)w * 32 + bit;
#pragma unroll
      for (int k = 0; k < BATCH; k++) pair[k] = near[k] >> bit & 1 ? ~0ull : __ldcs(&from[k * 32]);
    };
    ask_words(start);
    ask_heads(start);
#pragma unroll 1
    for (int w = start; w < words; w += stride) {
      u32 old[BATCH];
      Vertex first[BATCH], second[BATCH], then[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++) old[k] = near[k], first[k] = (u32)pair[k], second[k] = pair[k] >> 32;
      ask_words(w + stride);
      u32 hits = visited.which(first);
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        bool done = hits >> k & 1 || (first[k] | MORE) == (second[k] | MORE);  // found, of one neighbour, or not open
        then[k] = done ? NONE : second[k] & ~MORE;
      }
      u32 late = visited.which(then);
#pragma unroll
      for (int k = 0; k < BATCH; k++) {
        i64 v = (i64)w * 32 + bit + k * 32;
        bool hit = (hits | late) >> k & 1;
        if (hit) tree.record(v, late >> k & 1 ? then[k] : first[k]);
        waiting.add(!hit && first[k] != NONE && second[k] & MORE, (Vertex)v);
        u32 who = ballot(hit), word = WARP == 32 ? who : who << bit;
        found += __popc(who);
        if (lane() == k % WARP && w + k < words) after[w + k] = (bit < WARP ? old[k] : after[w + k]) | word;
      }
      ask_heads(w + stride);
      waiting.reserve(BATCH);
    }
  }
  waiting.flush_block();
  return {lane() == 0 ? found : 0u, 0};
}

// A visited one of entries begin..end-1, which one thread looks through; or NONE.
__device__ __forceinline__ Vertex look(const Visited& visited, i64 begin, i64 end) {
#pragma unroll 1
  for (i64 p = begin; p < end; p += 4) {
    Vertex u[4];
#pragma unroll
    for (int k = 0; k < 4; k++) u[k] = p + k < end ? s.in.at(p + k) : NONE;
    u32 hits = visited.which(u);
#pragma unroll
    for (int k = 0; k < 4; k++)
      if (hits >> k & 1) return u[k];
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
    u32 hits = visited.which(u);
#pragma unroll
    for (int k = 0; k < 4; k++)
      if (hits >> k & 1) hit = u[k];
    if (u32 who = ballot(hit != NONE)) return from_lane(hit, __ffs(who) - 1);
  }
  return NONE;
}

// Second pass: the next neighbours of those that wait. What is left of long rows goes to the third.
__device__ __noinline__ Found look_further(i64 size) {
  AppendBuffer<Piece> pieces(s.buffer(), &s.tally(1)->pieces, global(s.queues), s.capacity);
  const Visited visited = with_hubs();
  const Tree tree = s.next_level();
  Found mine = {0, 0};
  const Vertex* waiting = global(s.waiting);
  u32* after = s.other();
#pragma unroll 1
  for (i64 i = spread(); i < round_up_to_warps(size); i += threads()) {
    i64 begin = 0, end = 0, far = 0, far_end = 0;
    Vertex v = 0;
    if (i < size) {
      v = __ldcg(&waiting[i]);
      begin = s.in.begin(v) + 2, end = s.in.end(v);
      Vertex parent = look(visited, begin, min(begin + FEW, end));
      if (parent == NONE) begin += FEW, far = s.in.far_begin(v), far_end = s.in.far_end(v);
      else {
        end = begin;
        tree.record(v, parent);
        claim(after, v);
        mine.vertices++;
      }
    }
#pragma unroll 1
    for (; ballot(begin < end); begin += LONG) pieces.append(begin < end, Piece::of(v, begin, min((i64)LONG, end - begin)));
    if (FAR)
#pragma unroll 1
      for (; ballot(far < far_end); far += LONG) pieces.append(far < far_end, Piece::of(v, far, min((i64)LONG, far_end - far)));
  }
  pieces.flush_block();
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
  for (i64 i = spread() / WARP; i < size; i += warps()) {
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

// The first two passes over all open vertices.
__device__ __forceinline__ Found pull() {
  keep_hubs();
  Found mine = look_at_heads();
  mine.vertices += look_further(agree(&s.tally(1)->waiting)).vertices;
  return mine;
}
