// Walks along lists of neighbours to the first one in another tree.
#include "warp.cuh"

struct Whole {
  const i32* indices;
  __device__ __forceinline__ i32 at(i32, i64 k) const { return indices[k]; }
};

// Neighbours near a base of their vertex: base + 256 block + byte.
struct Near {
  const i32* base;
  const u8 *bytes, *blocks;
  __device__ __forceinline__ i32 at(i32 v, i64 k) const { return base[v] + bytes[k] + 256 * (blocks[k / 4] >> 2 * (k % 4) & 3); }
};

// A vertex that has to look for another way out of its tree: the one that it had, once, leads into it now.
__device__ __forceinline__ bool enclosed(const i32* tree, const i32* goal, i32 v) { return goal[v] >= 0 && tree[goal[v]] == tree[v]; }

// The place of the first neighbour of v in another tree than `mine`, from `at` on, or `end`. A lane looks at one
// neighbour of its vertex; those whose vertex needs more take turns, and the warp walks 32 by 32.
template <class List>
__device__ __forceinline__ i64 first_outside(const List& list, const i32* tree, i32 v, i32 mine, i64 at, i64 end) {
  if (at < end && tree[list.at(v, at)] == mine) at++;
  else end = at;
  for (u32 queue = ballot(at < end); queue; queue &= queue - 1) {
    int l = __ffs(queue) - 1;
    i32 u = from_lane(v, l), same = from_lane(mine, l);
    i64 place = from_lane(at, l), last = from_lane(end, l);
    for (; place < last; place += WARP) {
      i64 k = place + lane();
      u32 out = ballot(k < last && tree[list.at(u, k)] != same);
      if (out) {
        place += __ffs(out) - 1;
        break;
      }
    }
    if (lane() == l) at = min(place, last);
  }
  return at;
}
