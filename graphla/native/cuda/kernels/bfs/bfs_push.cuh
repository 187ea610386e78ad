// Top-down: the frontier's vertices claim their unvisited neighbours.
#include "bfs.cuh"

// The pieces that a warp takes at a time: as many as keep all warps busy, with their edges end to end, so that
// neither a hub nor many small rows hold it up.
struct Batch {
  i64 shift;   // from the number of an edge in the batch to its place in the row
  Vertex v;
  int end, edges;
  bool many;
  __device__ __forceinline__ Batch(const Piece* queue, i64 base, i64 size, u32 share) {
    bool mine = (u32)lane() < share && base + lane() < size;
    u64 begin = mine ? __ldcg(&queue[base + lane()].begin) : 0, who = mine ? __ldcg(&queue[base + lane()].who) : 0;
    int count = (u32)who;
    end = warp_scan(count), edges = from_lane(end, WARP - 1), v = who >> 32, shift = (i64)begin - (end - count), many = share > 1;
  }
  // The place of edge e, and whose it is.
  __device__ __forceinline__ i64 place(int e, Vertex& whose) const {
    int l = many ? owner_lane(end, e) : 0;
    whose = from_lane(v, l);
    return from_lane(shift, l) + e;
  }
};

__device__ __forceinline__ u32 share_of(i64 size, u32 warps) { return size >= (i64)WARP * warps ? WARP : ((u32)size + warps - 1) / warps; }

// Expand the pieces of this level's queue, and queue the rows of what is found. Where there are fewer pieces
// than warps, several take one.
__device__ __noinline__ Found push(u32 first_warp, u32 warps) {
  AppendBuffer<Piece> stage(s.buffer(), &s.tally(1)->queued, s.queue(1), s.capacity);
  const Tree tree = s.next_level();
  const Rows out = s.out;
  Found mine = {0, 0};
  const Piece* queue = s.queue(0);
  u32* visited = s.visited();
  i64 size = s.at.queued;
  u32 share = share_of(size, warps), team = 1;
  while (team < PIECE / WARP && 2 * team * size <= warps) team *= 2;
  u32 own = first_warp % team;
#pragma unroll 1
  for (i64 base = first_warp / team * share, step = warps / team * share; base < size; base += step) {
    const Batch batch(queue, base, size, share);
#pragma unroll 1
    for (u32 first = own * WARP; first < batch.edges; first += team * WARP) {
      int e = first + lane();
      Vertex v;
      i64 p = batch.place(e, v), from = 0, to = 0;
      Vertex u = e < batch.edges ? out.at(p) : 0;
      if (e < batch.edges) from = out.begin(u), to = out.end(u);  // asked for early: it takes as long as the claim
      bool won = e < batch.edges && claim(visited, u);
      if (won) {
        tree.record(u, v);
        mine.vertices++;
        mine.edges += to - from + out.far_end(u) - out.far_begin(u);
      }
      queue_range(stage, won, u, from, to);
      if (FAR) queue_range(stage, won, u, won ? out.far_begin(u) : 0, won ? out.far_end(u) : 0);
    }
  }
  stage.flush_block();
  return mine;
}

// Likewise for a crowded level, which looks before it claims, as many claims would fail; what it learns of hubs,
// at which all look, it tells the block, if it has questions enough. It queues nothing, as most often the next level
// goes bottom-up, and counts the edges of one vertex in SAMPLE, or in fewer where it finds few.
enum { SAMPLE = 16, FLIGHT = 4, QUESTIONS = HUB_WORDS / 8 };

__device__ __forceinline__ bool claim_telling(const Visited& visited, Vertex v) {
  u32 bit = 1u << (v & 31), w = v >> 5, word = atomicOr(&visited.bits[w], bit);
  if (w < visited.hub_words) atomicOr(&visited.hubs[w], word | bit);
  return !(word & bit);
}

__device__ __noinline__ Found push_crowd() {
  const Tree tree = s.next_level();
  const Rows out = s.out;
  Found mine = {0, 0};
  const Piece* queue = s.queue(0);
  const bool many = s.at.edges > (i64)QUESTIONS * gridDim.x;
  if (many) keep_hubs();
  const Visited visited = many ? with_hubs() : without_hubs();
  const u32 sample = many ? SAMPLE : SAMPLE / 4;
  i64 size = s.at.queued;
  const u32 STEP = FLIGHT * WARP;
  u32 team = 1;  // warps that take the same pieces: as many as these have edges for
  while (team < PIECE / STEP && 2 * team <= warps() && size < 8 * warps() && 2 * team * size * STEP <= s.at.edges * WARP) team *= 2;
  const u32 groups = warps() / team;
  const i64 place = spread() / WARP;
  u32 share = share_of(size, groups), own = place % team;
#pragma unroll 1
  for (i64 base = place / team * share; base < size; base += groups * share) {
    const Batch batch(queue, base, size, share);
#pragma unroll 1
    for (u32 first = own * STEP; first < batch.edges; first += team * STEP) {
      Vertex v[FLIGHT], u[FLIGHT];
      bool unseen[FLIGHT];
#pragma unroll
      for (int k = 0; k < FLIGHT; k++) {
        int e = first + k * WARP + lane();
        i64 p = batch.place(e, v[k]);
        unseen[k] = e < batch.edges;
        u[k] = unseen[k] ? out.at(p) : 0;
      }
#pragma unroll
      for (int k = 0; k < FLIGHT; k++) unseen[k] = unseen[k] && !visited.has(u[k]);
#pragma unroll
      for (int k = 0; k < FLIGHT; k++) unseen[k] = unseen[k] && claim_telling(visited, u[k]);
#pragma unroll
      for (int k = 0; k < FLIGHT; k++) {
        if (!unseen[k]) continue;
        tree.record(u[k], v[k]);
        mine.vertices++;
        if ((u[k] & (sample - 1)) == 0) mine.edges += sample * out.degree(u[k]);
      }
    }
  }
  return mine;
}

// Queue what the last level, which queued nothing, has found: a lane takes a word of 32 vertices. After a level
// bottom-up the words before it show which are new, else the tree does.
__device__ __noinline__ Found queue_new(bool down) {
  AppendBuffer<Piece> stage(s.buffer(), &s.tally(0)->queued, s.queue(0), s.capacity);
  Found mine = {0, 0};
  const u32 *after = s.visited(), *before = s.other();
  const Tree tree = s.of_level(s.at.level);
#pragma unroll 1
  for (i64 w = thread(); w < round_up_to_warps(s.words()); w += threads()) {
    u32 fresh = w < s.words() ? __ldcg(&after[w]) & (down ? ~0u : ~__ldcg(&before[w])) : 0;
#pragma unroll 1
    for (; ballot(fresh); fresh &= fresh - 1) {
      Vertex v = w * 32 + __ffs(fresh) - 1;
      bool is = fresh && (!down || (v < s.n && tree.found(v)));
      if (is) mine.edges += s.out.degree(v);
      queue_row(stage, is, v);
    }
  }
  stage.flush_block();
  return mine;
}
