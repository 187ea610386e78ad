// Sweeps for WIDTH sources at once, each of which has a bit in a mask and a column of `paths`: what rows and
// columns have in common. A warp is divided into teams; a lane of a team cares for OWN sources.
#include "grid.cuh"

enum {
  TEAM = WIDTH < 2 ? 1 : WIDTH / 2 < WARP ? WIDTH / 2 : WARP,  // lanes
  OWN = WIDTH / TEAM,
  BATCH = 4  // columns that a team has under way
};

struct alignas(OWN % 2 ? 8 : 16) Counts { f64 of[OWN]; };

__device__ __forceinline__ int first_source() { return lane() % TEAM * OWN; }
__device__ __forceinline__ bool in_first_team() { return lane() < TEAM; }
__device__ __forceinline__ bool in(Mask mask, int source) { return mask >> source & 1; }
__device__ __forceinline__ Mask everyone(i64 count) { return (Mask)~(Mask)0 >> (8 * sizeof(Mask) - count); }

// Rows below `heavy` come in pieces of PIECE columns, the others are whole.
struct Rows {
  i64 n, heavy;
  const Offset* ends;
  const u32* columns;
  i64 pieces;
  const u32* owners;
  const Offset* begins;
};

struct Part {
  i64 v, begin, end;
  bool split;
};

__device__ __forceinline__ Part part_of(const Rows& rows, i64 t) {
  if (t >= rows.pieces) {
    i64 v = rows.heavy + t - rows.pieces;
    return {v, rows.ends[v], rows.ends[v + 1], false};
  }
  i64 v = rows.owners[t], begin = rows.begins[t];
  return {v, begin, min(begin + (i64)PIECE, (i64)rows.ends[v + 1]), true};
}

// Visit, by a warp each, the parts of the rows that `wanted` gives a mask. Pieces that follow one another go to
// different warps, as they are of the same hub; whole rows do not.
template <class Wanted, class Visit> __device__ __forceinline__ void each_part(const Rows& rows, Wanted wanted, Visit visit) {
  i64 split = (rows.pieces + WARP - 1) / WARP, all = split + (rows.n - rows.heavy + WARP - 1) / WARP;
  for (i64 c = warp(); c < all; c += warps()) {
    i64 t = c < split ? c + lane() * split : rows.pieces + (c - split) * WARP + lane();
    Part mine = {};
    Mask want = 0;
    if (t < (c < split ? rows.pieces : rows.pieces + rows.n - rows.heavy)) mine = part_of(rows, t), want = wanted(mine.v);
    for (u32 left = ballot(want != 0); left; left &= left - 1) {
      int l = __ffs(left) - 1;
      visit(Part{from_lane(mine.v, l), from_lane(mine.begin, l), from_lane(mine.end, l), c < split}, from_lane(want, l));
    }
  }
}

// Deal the lanes' columns v whose mask is not 0 out to the teams; a lane is handed BATCH of them at a time.
template <class Take> __device__ __forceinline__ void deal(u32 v, Mask mask, Take take) {
  u32 mine = ballot(mask != 0) & (TEAM == 32 ? ~0u : ((1u << TEAM) - 1) << lane() / TEAM * TEAM);
  while (ballot(mine != 0)) {
    u32 columns[BATCH];
    Mask masks[BATCH];
#pragma unroll
    for (int b = 0; b < BATCH; b++) {
      int l = mine ? __ffs(mine) - 1 : lane();
      columns[b] = from_lane(v, l), masks[b] = from_lane(mask, l);
      if (!mine) masks[b] = 0;
      mine &= mine - 1;
    }
    take(columns, masks);
  }
}

// The sum, for each source in `want`, of the counts of the columns of a part that have it in `now`. Returns the
// sources that any of them has, to all lanes.
__device__ __forceinline__ Mask gather(const Rows& rows, const Part& part, Mask want, const Mask* now, const f64* paths, Counts& sum) {
  Mask found = 0;
  sum = Counts();
  for (i64 p = part.begin + lane(); p - lane() < part.end; p += WARP) {
    u32 v = p < part.end ? rows.columns[p] : 0;
    Mask both = p < part.end ? now[v] & want : 0;
    found |= both;
    deal(v, both, [&](const u32* columns, const Mask* masks) {
      Counts x[BATCH];
#pragma unroll
      for (int b = 0; b < BATCH; b++) {
        bool any = false;
#pragma unroll
        for (int o = 0; o < OWN; o++) any |= in(masks[b], first_source() + o);
        if (any) x[b] = *(const Counts*)&paths[(i64)columns[b] * WIDTH + first_source()];
      }
#pragma unroll
      for (int b = 0; b < BATCH; b++)
#pragma unroll
        for (int o = 0; o < OWN; o++)
          if (in(masks[b], first_source() + o)) sum.of[o] += x[b].of[o];
    });
  }
  for (int d = 1; d < WARP; d *= 2) found |= from_lane(found, lane() ^ d);
  if (found)
    for (int d = TEAM; d < WARP; d *= 2)
#pragma unroll
      for (int o = 0; o < OWN; o++) sum.of[o] += from_lane(sum.of[o], lane() ^ d);
  return found;
}
