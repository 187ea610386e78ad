// Top-down: the frontier's vertices claim their unvisited neighbours.
#include "bfs.cuh"

// Expand the pieces of this level's queue. Each warp takes as many at a time as keep all warps busy, lays
// their edges end to end and deals them to its lanes: neither a hub nor many small rows hold it up.
// A crowded level looks before it claims, as many claims would fail. It queues nothing, as most often the
// next level goes bottom-up, and counts the edges of one vertex in SAMPLE.
enum { SAMPLE = 16 };

__device__ __noinline__ Found push(bool crowded, i64 first_warp, i64 warps) {
  Stage<Piece> stage(s.buffer(), &s.tally(1)->queued, s.queue(1), s.capacity);
  const Tree tree = s.next_level();
  const Rows out = s.out;
  Found mine = {0, 0};
  const Piece* queue = s.queue(0);
  u32* visited = s.visited();
  i64 size = s.at.queued;
  int share = size >= WARP * warps ? WARP : ((u32)size + (u32)warps - 1) / (u32)warps;
#pragma unroll 1
  for (i64 base = first_warp * share; base < size; base += warps * share) {
    bool ours = lane() < share && base + lane() < size;
    u64 begin = ours ? __ldcg(&queue[base + lane()].begin) : 0, who = ours ? __ldcg(&queue[base + lane()].who) : 0;
    int count = (u32)who, end = warp_scan(count), total = from_lane(end, WARP - 1);
#pragma unroll 1
    for (int first = 0; first < total; first += WARP) {
      int e = first + lane(), k = 0;  // edge e is of piece k: so many pieces end at it or before
      if (share > 1)
        for (int step = WARP / 2; step; step /= 2) k += from_lane(end, k + step - 1) <= e ? step : 0;
      i64 p = from_lane((i64)begin - (end - count), k) + e;
      Vertex v = from_lane((Vertex)(who >> 32), k), u = e < total ? out.at(p) : 0;
      bool unseen = e < total && !(crowded && is_set(visited, u));
      i64 from = 0, to = 0;  // of the row, asked for early: it takes as long as the claim
      if (!crowded && unseen) from = out.begin(u), to = out.end(u);
      bool won = unseen && claim(visited, u);
      if (won) {
        tree.record(u, v);
        mine.vertices++;
        if (!crowded) mine.edges += to - from + out.far_end(u) - out.far_begin(u);
        else if (u % SAMPLE == 0) mine.edges += SAMPLE * out.degree(u);
      }
      if (crowded) continue;
      queue_range(stage, won, u, from, to);
      if (FAR) queue_range(stage, won, u, won ? out.far_begin(u) : 0, won ? out.far_end(u) : 0);
    }
  }
  stage.flush();
  return mine;
}

// So that it shows what the level has found.
__device__ __forceinline__ void copy_visited() {
  u32 *from = s.visited(), *to = s.other();
  for (int w = thread(); w < s.words(); w += threads()) to[w] = __ldcg(&from[w]);
}

// Queue what the last level, which queued nothing, has found: a lane takes a word of 32 vertices.
__device__ __noinline__ Found queue_new() {
  Stage<Piece> stage(s.buffer(), &s.tally(0)->queued, s.queue(0), s.capacity);
  Found mine = {0, 0};
  const u32 *after = s.visited(), *before = s.other();
#pragma unroll 1
  for (i64 w = thread(); w < whole_warps(s.words()); w += threads()) {
    u32 fresh = w < s.words() ? __ldcg(&after[w]) & ~__ldcg(&before[w]) : 0;
#pragma unroll 1
    for (; ballot(fresh); fresh &= fresh - 1) {
      Vertex v = w * 32 + __ffs(fresh) - 1;
      if (fresh) mine.edges += s.out.degree(v);
      queue_row(stage, fresh, v);
    }
  }
  stage.flush();
  return mine;
}
