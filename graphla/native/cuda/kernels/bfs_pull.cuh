// Bottom-up: each open vertex looks among its in-neighbours for a visited one. Had one been visited before
// the last level, so would the vertex be: any visited neighbour is on the frontier.
#include "bfs.cuh"

// Whether u is visited; the hubs' bits are in shared memory.
__device__ __forceinline__ bool reached(const Search& s, Vertex u) {
  u32 word = (int)(u >> 5) < s.hub_words ? s.hubs[u >> 5] : __ldcg(&s.visited()[u >> 5]);
  return word >> (u & 31) & 1;
}

enum { BATCH = 4 };  // words of visited bits that a warp has in flight

// First pass: the two neighbours of highest degree, which lie side by side for all vertices.
PHASE Found look_at_heads(const Search& search) {
  const Search s = search;
  Stage<Vertex> waiting(s.buffer, &s.tally(1)->waiting, s.waiting, s.n);
  Found mine = {0, 0};
  const u32 *before = s.visited(), *heads = s.heads, *second_heads = heads + s.n;
  u32 *after = s.other(), next[BATCH];
  const i64 last = (i64)s.words() * 32, stride = warps() * BATCH * WARP;
  auto ask = [&](i64 base, u32* words) {
#pragma unroll
    for (int k = 0; k < BATCH; k++) words[k] = base + k * WARP < last ? __ldcg(&before[(base + k * WARP) >> 5]) : ~0u;
  };
  ask(warp() * BATCH * WARP, next);
  for (i64 base = warp() * BATCH * WARP; base < last; base += stride) {
    bool open[BATCH], one[BATCH], two[BATCH];
    Vertex first[BATCH], second[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * WARP + lane();
      open[k] = !(next[k] >> (v & 31) & 1);
      first[k] = open[k] ? heads[v] : NONE;
      second[k] = open[k] ? second_heads[v] : NONE;
    }
    ask(base + stride, next);
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      one[k] = first[k] != NONE && reached(s, first[k]);
      two[k] = second[k] != NONE && reached(s, second[k]);
    }
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      i64 v = base + k * WARP + lane();
      if (base + k * WARP >= last) break;
      bool hit = one[k] || two[k];
      if (hit) s.record(v, one[k] ? first[k] : second[k]);
      mine.vertices += hit;
      put(after, v, !open[k] || hit);
      waiting.push(second[k] != NONE && !hit, v);
    }
  }
  waiting.flush();
  return mine;
}

// A visited one of entries begin..end-1, which one thread looks through; or NONE.
__device__ __forceinline__ Vertex look(const Search& s, i64 begin, i64 end) {
  for (i64 p = begin; p < end; p += 4) {
    Vertex u[4];
    bool hit[4];
#pragma unroll
    for (int k = 0; k < 4; k++) u[k] = p + k < end ? s.in.at(p + k) : NONE;
#pragma unroll
    for (int k = 0; k < 4; k++) hit[k] = u[k] != NONE && reached(s, u[k]);
#pragma unroll
    for (int k = 0; k < 4; k++)
      if (hit[k]) return u[k];
  }
  return NONE;
}

// Likewise, by all lanes of a warp.
__device__ __forceinline__ Vertex look_together(const Search& s, i64 begin, i64 end) {
  for (i64 base = begin; base < end; base += 4 * WARP) {
    Vertex u[4], hit = NONE;
#pragma unroll
    for (int k = 0; k < 4; k++) u[k] = base + k * WARP + lane() < end ? s.in.at(base + k * WARP + lane()) : NONE;
#pragma unroll
    for (int k = 0; k < 4; k++)
      if (u[k] != NONE && reached(s, u[k])) hit = u[k];
    if (u32 who = ballot(hit != NONE)) return from_lane(hit, __ffs(who) - 1);
  }
  return NONE;
}

// Second pass: the next neighbours of those that wait; what is left of long rows goes to the third.
PHASE Found look_further(const Search& search, i64 size) {
  const Search s = search;
  Stage<Piece> pieces(s.buffer, &s.tally(1)->pieces, s.queues, s.capacity);
  Found mine = {0, 0};
  u32* after = s.other();
  for (i64 i = thread(); i < whole_warps(size); i += threads()) {
    i64 begin = 0, end = 0, far = 0, far_end = 0;
    Vertex v = 0, parent = NONE;
    if (i < size) {
      v = __ldcg(&s.waiting[i]);
      begin = s.in.begin(v) + 2, end = s.in.end(v);
      parent = look(s, begin, min(begin + FEW, end));
      if (parent == NONE) begin += FEW, far = s.in.far_begin(v), far_end = s.in.far_end(v);
      else {
        end = begin;
        s.record(v, parent);
        claim(after, v);
        mine.vertices++;
      }
    }
    for (; ballot(begin < end); begin += LONG) pieces.push(begin < end, Piece::of(v, begin, min((i64)LONG, end - begin)));
    if (FAR)
      for (; ballot(far < far_end); far += LONG) pieces.push(far < far_end, Piece::of(v, far, min((i64)LONG, far_end - far)));
  }
  pieces.flush();
  return mine;
}

// Third pass: a warp for each of those pieces.
PHASE Found look_through_pieces(const Search& search, i64 size) {
  const Search s = search;
  const Piece* pieces = s.queues;
  Found mine = {0, 0};
  u32* after = s.other();
  for (i64 i = warp(); i < size; i += warps()) {
    i64 begin = __ldcg(&pieces[i].begin);
    u64 who = __ldcg(&pieces[i].who);
    Vertex v = who >> 32;
    bool done = __ldcg(&after[v >> 5]) >> (v & 31) & 1;  // by another of its pieces; as one lane sees it
    if (from_lane(done, 0)) continue;
    Vertex parent = look_together(s, begin, begin + (u32)who);
    if (parent != NONE && lane() == 0 && claim(after, v)) {
      s.record(v, parent);
      mine.vertices++;
    }
  }
  return mine;
}

// The bits of the hubs into shared memory, two words at a time.
__device__ __forceinline__ void keep_hubs(Search& s) {
  s.hub_words = min((int)HUB_WORDS, s.words()) & ~1;
  const u64* from = (const u64*)s.visited();
#pragma unroll 8
  for (int w = threadIdx.x; w < s.hub_words / 2; w += blockDim.x) ((u64*)s.hubs)[w] = __ldcg(&from[w]);
  __syncthreads();
}

// One level of all open vertices.
__device__ __forceinline__ Found pull(Search& s) {
  keep_hubs(s);
  Found mine = look_at_heads(s);
  if (i64 size = s.agree(&s.tally(1)->waiting)) {
    mine.vertices += look_further(s, size).vertices;
    mine.vertices += look_through_pieces(s, s.agree(&s.tally(1)->pieces)).vertices;
  }
  return mine;
}

// One level where few are open: these are listed once, and bit 31 marks what the last level has found.
// Its bit is then in the words that were written then, and not yet in those that are written now.
enum : u32 { FRESH = 1u << 31 };

PHASE void list_open(const Search& search) {
  const Search s = search;
  u32 *bits = s.visited(), *other = s.other();
  Stage<Vertex> waiting(s.buffer, &s.state->listed, s.waiting, s.n);
  for (i64 w = thread(); w < whole_warps(s.words()); w += threads()) {
    u32 word = w < s.words() ? __ldcg(&bits[w]) : ~0u;
    if (w < s.words()) other[w] = word;
    for (u32 open = ~word; ballot(open); open &= open - 1) waiting.push(open, w * 32 + __ffs(open) - 1);
  }
  waiting.flush();
}

PHASE Found pull_few(const Search& search) {
  Search s = search;
  Found mine = {0, 0};
  u32* after = s.other();
  s.hub_words = 0;
  for (i64 i = thread(), size = s.listed; i < whole_warps(size); i += threads()) {
    Vertex item = i < size ? __ldcg(&s.waiting[i]) : NONE, v = item & ~FRESH, parent = NONE;
    bool looks = item != NONE && !(item & FRESH);
    i64 begin = looks ? s.in.begin(v) : 0, end = looks ? s.in.end(v) : 0;
    parent = look(s, begin, min(begin + FEW, end));
    for (u32 who = ballot(looks && parent == NONE); who; who &= who - 1) {
      int l = __ffs(who) - 1;
      Vertex found = look_together(s, from_lane(begin, l) + FEW, from_lane(end, l));
      if (FAR && found == NONE) {
        Vertex w = from_lane(v, l);
        found = look_together(s, s.in.far_begin(w), s.in.far_end(w));
      }
      if (l == lane()) parent = found;
    }
    bool late = item != NONE && (item & FRESH);
    if (parent != NONE) s.record(v, parent), mine.vertices++;
    if (parent != NONE || late) {
      claim(after, v);
      s.waiting[i] = late ? NONE : v | FRESH;
    }
  }
  return mine;
}
