// Scans of neighbour lists for the first neighbour in another tree, for lists in two encodings.
#include "warp.cuh"

struct PlainLists {
  const i32* columns;
  __device__ __forceinline__ i32 neighbour(i32, i64 p) const { return columns[p]; }
};

// Neighbours in ten bits: base of the vertex + 256 * block + byte; four blocks in a byte.
struct ByteLists {
  const i32* base;
  const u8 *bytes, *blocks;
  __device__ __forceinline__ i32 neighbour(i32 v, i64 p) const { return base[v] + bytes[p] + 256 * (blocks[p / 4] >> 2 * (p % 4) & 3); }
};

// Whether the current edge of v, to goal[v], is inside the tree of v, so that v has to find another one. goal[v] < 0: it has none.
__device__ __forceinline__ bool edge_is_inside(const i32* tree, const i32* goal, i32 v) { return goal[v] >= 0 && tree[goal[v]] == tree[v]; }

// The first entry from p on, below end, of a neighbour of v that is not in v_tree; or end. Each lane tests one neighbour of its
// vertex; then the warp scans the lists of the lanes that need more, one after the other. All lanes of the warp must call this.
template <class Lists>
__device__ __forceinline__ i64 first_outside(const Lists& lists, const i32* tree, i32 v, i32 v_tree, i64 p, i64 end) {
  if (p < end && tree[lists.neighbour(v, p)] == v_tree) p++;
  else end = p;
  for (u32 lanes = ballot(p < end); lanes; lanes &= lanes - 1) {
    int l = __ffs(lanes) - 1;
    i32 lane_vertex = from_lane(v, l), lane_tree = from_lane(v_tree, l);
    i64 entry = from_lane(p, l), lane_end = from_lane(end, l);
    for (; entry < lane_end; entry += WARP) {
      i64 k = entry + lane();
      u32 outside_lanes = ballot(k < lane_end && tree[lists.neighbour(lane_vertex, k)] != lane_tree);
      if (outside_lanes) {
        entry += __ffs(outside_lanes) - 1;
        break;
      }
    }
    if (lane() == l) p = min(entry, lane_end);
  }
  return p;
}
