// Searches from up to WIDTH sources at once, for Brandes's algorithm. A set of sources is a mask with a bit for each; the path
// counts of a vertex are WIDTH consecutive numbers.
//
// Work split: a warp takes a row, or a piece of PIECE columns of a long row, and reads the masks of 32 columns at a time. It is
// divided into teams of TEAM lanes, to which the columns are distributed; each lane of a team handles OWN sources.
#include "grid.cuh"

enum {
  TEAM = WIDTH < 2 ? 1 : WIDTH / 2 < WARP ? WIDTH / 2 : WARP,  // lanes
  OWN = WIDTH / TEAM,                                          // sources of a lane
  BATCH = 4                                                    // columns that a team has in flight
};

struct alignas(OWN % 2 ? 8 : 16) Counts { f64 of[OWN]; };  // of a lane's sources

__device__ __forceinline__ int first_source() { return lane() % TEAM * OWN; }
__device__ __forceinline__ bool in_first_team() { return lane() < TEAM; }
__device__ __forceinline__ bool contains(Mask mask, int source) { return mask >> source & 1; }
__device__ __forceinline__ Mask all_sources(i64 count) { return (Mask)~(Mask)0 >> (8 * sizeof(Mask) - count); }

// Compressed sparse rows. Rows below `split_rows` are split into pieces: piece t is a part of row piece_rows[t] and begins at
// entry piece_begins[t].
struct Rows {
  i64 n, split_rows;
  const Offset* offsets;
  const u32* columns;
  i64 pieces;
  const u32* piece_rows;
  const Offset* piece_begins;
};

// A piece of row v, or the whole row.
struct Part {
  i64 v, begin, end;
  bool is_piece;
};

// Part t: the pieces come first, then the whole rows.
__device__ __forceinline__ Part part_of(const Rows& rows, i64 t) {
  if (t >= rows.pieces) {
    i64 v = rows.split_rows + t - rows.pieces;
    return {v, rows.offsets[v], rows.offsets[v + 1], false};
  }
  i64 v = rows.piece_rows[t], begin = rows.piece_begins[t];
  return {v, begin, min(begin + (i64)PIECE, (i64)rows.offsets[v + 1]), true};
}

// Call visit(part, mask) by a whole warp for each part of the rows v with mask = mask_of(v) != 0. A warp gets 32 consecutive whole
// rows, but pieces that are far apart, as consecutive ones are of the same row.
template <class MaskOf, class Visit> __device__ __forceinline__ void for_each_part(const Rows& rows, MaskOf mask_of, Visit visit) {
  i64 piece_chunks = (rows.pieces + WARP - 1) / WARP, chunks = piece_chunks + (rows.n - rows.split_rows + WARP - 1) / WARP;
  for (i64 c = warp(); c < chunks; c += warps()) {
    i64 t = c < piece_chunks ? c + lane() * piece_chunks : rows.pieces + (c - piece_chunks) * WARP + lane();
    Part lane_part = {};
    Mask lane_mask = 0;
    if (t < (c < piece_chunks ? rows.pieces : rows.pieces + rows.n - rows.split_rows)) lane_part = part_of(rows, t), lane_mask = mask_of(lane_part.v);
    for (u32 lanes = ballot(lane_mask != 0); lanes; lanes &= lanes - 1) {
      int l = __ffs(lanes) - 1;
      visit(Part{from_lane(lane_part.v, l), from_lane(lane_part.begin, l), from_lane(lane_part.end, l), c < piece_chunks}, from_lane(lane_mask, l));
    }
  }
}

// Distribute the columns v of the lanes with mask != 0 to the teams: call take(columns, masks) with BATCH of them at a time; an
// unused one has mask 0. A team gets the columns that its lanes hold.
template <class Take> __device__ __forceinline__ void distribute_columns(u32 v, Mask mask, Take take) {
  u32 team_lanes = ballot(mask != 0) & (TEAM == 32 ? ~0u : ((1u << TEAM) - 1) << lane() / TEAM * TEAM);
  while (ballot(team_lanes != 0)) {
    u32 columns[BATCH];
    Mask masks[BATCH];
#pragma unroll
    for (int b = 0; b < BATCH; b++) {
      int l = team_lanes ? __ffs(team_lanes) - 1 : lane();
      columns[b] = from_lane(v, l), masks[b] = from_lane(mask, l);
      if (!team_lanes) masks[b] = 0;
      team_lanes &= team_lanes - 1;
    }
    take(columns, masks);
  }
}

// sum.of[o] = sum of paths(column, s) over the columns of a part whose `frontier` mask contains s, for the lane's sources s in
// `wanted`; the sums are in the first team. Returns, to all lanes, the sources that any column contains.
__device__ __forceinline__ Mask sum_frontier_columns(const Rows& rows, const Part& part, Mask wanted, const Mask* frontier,
                                                     const f64* paths, Counts& sum) {
  Mask sources_found = 0;
  sum = Counts();
  for (i64 p = part.begin + lane(); p - lane() < part.end; p += WARP) {
    u32 v = p < part.end ? rows.columns[p] : 0;
    Mask common = p < part.end ? frontier[v] & wanted : 0;
    sources_found |= common;
    distribute_columns(v, common, [&](const u32* columns, const Mask* masks) {
      Counts x[BATCH];
#pragma unroll
      for (int b = 0; b < BATCH; b++) {
        bool is_needed = false;
#pragma unroll
        for (int o = 0; o < OWN; o++) is_needed |= contains(masks[b], first_source() + o);
        if (is_needed) x[b] = *(const Counts*)&paths[(i64)columns[b] * WIDTH + first_source()];
      }
#pragma unroll
      for (int b = 0; b < BATCH; b++)
#pragma unroll
        for (int o = 0; o < OWN; o++)
          if (contains(masks[b], first_source() + o)) sum.of[o] += x[b].of[o];
    });
  }
  for (int distance = 1; distance < WARP; distance *= 2) sources_found |= from_lane(sources_found, lane() ^ distance);
  if (sources_found)
    for (int distance = TEAM; distance < WARP; distance *= 2)
#pragma unroll
      for (int o = 0; o < OWN; o++) sum.of[o] += from_lane(sum.of[o], lane() ^ distance);
  return sources_found;
}
