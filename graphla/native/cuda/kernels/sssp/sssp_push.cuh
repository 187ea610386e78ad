// Push: what waits within the bound lowers the distances of its neighbours; what is farther goes on waiting.
#include "sssp.cuh"

enum {
  FEWEST = 3, SHARE = 48,  // light edges of a row: so many, and one in so many of the row
  HOPS = 16,               // edges that a warp follows in a round
  CHUNKS = 4               // edges that a lane has in flight
};

__device__ __forceinline__ void wait_for_later(AppendBuffer<Item>& stage, Found& mine, bool has, Vertex v, Code d) {
  stage.append(has, Item::of(v, d));
  if (has) mine.least = min(mine.least, (u64)d);
}

// Relax `count` edges from `begin` of a vertex at distance d, one such row or none a lane: laid end to end
// and dealt to the lanes, so that neither a hub nor many small rows hold a warp up.
__device__ __forceinline__ void relax(const Search& s, AppendBuffer<Item>& stage, Found& mine, i64 begin, int count, Code d) {
  int end = warp_scan(count), total = from_lane(end, WARP - 1);
  i64 start = begin - (end - count);
  bool sparse = s.queued + 8 * s.queued_pieces < SPARSE;  // to look first would take longer than to try
#pragma unroll 1
  for (int first = 0; first < total; first += CHUNKS * WARP) {
    Edge edge[CHUNKS];
    Code from[CHUNKS];
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      int e = first + c * WARP + lane(), k = owner_lane(end, e);
      i64 p = from_lane(start, k) + e;
      from[c] = from_lane(d, k);
      edge[c].to = NONE;
      if (e < total) edge[c] = s.out.edges[p];
    }
    Code old[CHUNKS];
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      bool there = edge[c].to != (Code)NONE;
      from[c] = there ? plus(from[c], edge[c].weight) : s.infinity;
      old[c] = there && !sparse ? __ldcg(&s.dist[edge[c].to]) : s.infinity;
    }
#pragma unroll
    for (int c = 0; c < CHUNKS; c++)
      if (from[c] < old[c]) old[c] = atomicMin(&s.dist[edge[c].to], from[c]);
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      Vertex u = edge[c].to;
      bool won = from[c] < old[c] && (!s.light || u < s.hubs || s.done < FEW);
      wait_for_later(stage, mine, won, u, from[c]);
    }
  }
}

// Long rows are the next round's, in pieces.
__device__ __forceinline__ void cut(const Search& s, Found& mine, Vertex v, i64 begin, i64 count, Code d) {
  i64 many = (count + PIECE - 1) / PIECE, first = atomicAdd(&s.tally(1)->pieces, (u64)many);
  for (i64 k = 0; k < many; k++) {
    Piece piece = {(u64)(begin + k * PIECE), (u64)v << 32 | (u64)min((i64)PIECE, count - k * PIECE), d};
    s.piece_list(1)[first + k] = piece;
  }
  mine.least = min(mine.least, (u64)d);
}

// Expand those of the lanes' items that are within the bound. Rows are cut where `cuts`: once a round for each vertex,
// so that there is room for the pieces; else those of long rows wait too.
__device__ __forceinline__ void expand_some(const Search& s, AppendBuffer<Item>& stage, Found& mine, bool ours, Vertex v, Code d,
                                            bool cuts) {
  i64 begin = ours ? s.out.ends[v] : 0, count = ours ? s.out.ends[v + 1] - begin : 0;
  if (s.light) count = min(count, FEWEST + count / SHARE);
  ours = ours && __ldcg(&s.dist[v]) == d;
  bool later = d > s.bound || (count > PIECE && !cuts);
  wait_for_later(stage, mine, ours && later, v, d);
  if (!ours || later) count = 0;
  if (count > PIECE) {
    cut(s, mine, v, begin, count, d);
    count = 0;
  }
  relax(s, stage, mine, begin, count, d);
}

// A warp that has gathered few items expands them at once, before it tells the others: where all have few,
// a round is nothing but waiting.
__device__ __forceinline__ void go_on(const Search& s, AppendBuffer<Item>& stage, Found& mine) {
#pragma unroll 1
  for (int hop = 0; hop < HOPS && stage.size && stage.size <= WARP; hop++) {
    __syncwarp();
    bool ours = lane() < stage.size;
    Item item = stage.buffer[ours ? lane() : 0];
    if (!ballot(ours && item.distance <= s.bound)) return;
    stage.size = 0;
    __syncwarp();
    expand_some(s, stage, mine, ours, ours ? item.vertex : 0, item.distance, false);
  }
}

PHASE Found expand(const Search& search) {
  const Search s = copy_of(search);
  AppendBuffer<Item> stage(s.buffer, &s.tally(1)->queued, s.queue(1), s.capacity);
  Found mine = {0, ~0ull};
  const Item* queue = s.queue(0);
  i64 size = s.queued, many = warps();
  i64 share = max((i64)min((int)WARP, 4), min((i64)WARP, (size + many - 1) / many));
#pragma unroll 1
  for (i64 base = s.warp * share; base < size; base += many * share) {
    bool ours = lane() < share && base + lane() < size;
    Vertex v = ours ? __ldcg(&queue[base + lane()].vertex) : 0;
    Code d = ours ? __ldcg(&queue[base + lane()].distance) : 0;
    expand_some(s, stage, mine, ours, v, d, true);
  }
  const Piece* pieces = s.piece_list(0);
#pragma unroll 1
  for (i64 i = s.warp; i < (i64)s.queued_pieces; i += many) {
    u64 who = __ldcg(&pieces[i].who), d = __ldcg(&pieces[i].distance);
    bool now = from_lane(__ldcg(&s.dist[who >> 32]) == d, 0);
    relax(s, stage, mine, __ldcg(&pieces[i].begin), lane() == 0 && now ? (u32)who : 0, d);
  }
  if (!s.light) go_on(s, stage, mine);
  stage.flush_block();
  return mine;
}

// Push until nothing waits, or by light edges until little does. The bound is `step` beyond the least of what
// waits: it moves on whatever is left within it, as a round of few vertices takes as long as one of many.
__device__ __forceinline__ void push_all(Search& s) {
  u64 most = FEW;
  while (s.queued || s.queued_pieces) {
    if (thread() == 0) s.tally(2)->clear();
    Code low = min(s.least, (u64)s.infinity);
    s.bound = value(s.infinity) - value(low) <= s.step ? s.infinity : plus(low, s.step);
    close_round(s, expand(s));
    most = max(most, s.queued);
    if (s.light && s.queued * 2 < most && most > FEW) return;
  }
}
