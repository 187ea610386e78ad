// The first levels of a breadth-first search, by one cluster of blocks, as long as they have few edges: of a graph of high
// diameter all levels. Each block keeps those that it found in its shared memory, where all take their shares of the
// next level; a level is one access to the graph and one wait for a few blocks.
#include "bfs.cuh"
#include "cluster.cuh"

struct alignas(8) Edge { Vertex to, from; };

// The first neighbours of a vertex, and NONE after the last; the first is marked MORE where they are not its whole row.
struct alignas(16) Firsts { Vertex of[FIRSTS]; };

struct Narrow {
  u32 size[2];      // edges that the block has kept, of two levels by turns; those beyond ROOM are lost
  u32 seen[2][32];  // likewise of all blocks
};

// What a thread has found: a vertex that it has yet to write down, and counts over all levels.
struct Mine {
  Vertex v;
  u32 node, depth;
  u64 found, edges;
};

__shared__ Narrow b;

__device__ __forceinline__ u32 blocks() {
#ifdef SIMULATED
  return gridDim.x;
#else
  return BLOCKS;
#endif
}

// Find a place for edges of a warp; returns whether there is room.
__device__ __forceinline__ bool take(u32 count, int turn, u32& first) {
  first = 0;
  if (lane() == 0) first = atomicAdd(&b.size[turn], count);
  first = from_lane(first, 0);
  return first <= ROOM && count <= ROOM - first;
}

// Keep whole rows, end to end.
__device__ __noinline__ u32 keep_rows(bool won, Vertex v, const Offset* ends, const u32* rows, Edge* edges, int turn) {
  i64 begin = won ? ends[v] : 0, after = won ? ends[v + 1] : 0;
  int degree = (int)(after - begin), end = warp_scan(degree), all = from_lane(end, WARP - 1);
  i64 shift = begin - (end - degree);
  Edge* kept = of_block(edges) + turn * ROOM;
  u32 first;
  if (take(all, turn, first))
#pragma unroll 1
    for (int base = 0; base < all; base += WARP) {
      int i = base + lane(), l = owner_lane(end, i);
      i64 p = from_lane(shift, l) + i;
      Vertex u = from_lane(v, l);
      if (i < all) kept[first + i] = {rows[p], u};
    }
  return degree;
}

// Keep the edges of the vertices that the lanes of a warp have found, but for those that lead back.
__device__ __forceinline__ void keep(bool won, Edge e, const Firsts& row, const Offset* ends, const u32* rows, Edge* edges, int turn,
                                     Mine& mine) {
  mine.found += won;
  if (ballot(won && row.of[0] != NONE && row.of[0] & MORE)) {
    mine.edges += keep_rows(won, e.to, ends, rows, edges, turn);
    return;
  }
  u32 place[FIRSTS], count = 0, first;
#pragma unroll
  for (int k = 0; k < FIRSTS; k++) {
    bool is = won && row.of[k] != NONE, leads_on = is && row.of[k] != e.from;
    u32 who = ballot(leads_on);
    place[k] = leads_on ? count + __popc(who & lanes_below_mask()) : NONE;
    count += __popc(who);
    mine.edges += is;
  }
  if (!count || !take(count, turn, first)) return;
#pragma unroll
  for (int k = 0; k < FIRSTS; k++)
    if (place[k] != NONE) edges[turn * ROOM + first + place[k]] = {row.of[k], e.to};
}

// Write down what was found a step ago: the wait for all blocks would have to wait for it, had it been written at once.
__device__ __forceinline__ void write_down(Mine& mine, u32* tree, u32* deep, u32 last) {
  if (mine.v == NONE) return;
  tree[mine.v] = mine.node;
  if (mine.depth >= last) deep[mine.v] = mine.depth;
  mine.v = NONE;
}

// Tell all blocks how many edges this one has kept.
__device__ __forceinline__ void tell(int turn) {
  __syncthreads();
  if (threadIdx.x < WARP) {
    for (int k = lane(); k < blocks(); k += WARP) write_to_block(&b.seen[turn][blockIdx.x], k, b.size[turn]);
    if (lane() == 0) b.size[1 - turn] = 0;
  }
  cluster_barrier();
}

extern "C" __global__ void CLUSTER(BLOCKS) __launch_bounds__(1024, 1)
    bfs_narrow(i64 n, i64 source, const i32* rank, const Offset* ends, const u32* rows, const Firsts* firsts, u32* tree,
               u32* deep, u32* visited, State* state, i64 edges, i64 shift) {
  SHARED_ARRAY(Edge, kept);
  const u32 last = (1ll << (32 - shift)) - 1;
  i64 root = rank[source];
  if (root < 0) return;
  for (i64 w = thread(); w < (n + 31) / 32; w += threads())
    visited[w] = (w == n >> 5 ? ~0u << (n & 31) : 0) | (w == root >> 5 ? 1u << (root & 31) : 0);
  if (threadIdx.x == 0) b.size[0] = b.size[1] = 0;
  if (thread() == 0) state->position = {0, n - 1, edges, 1, 0, 0, 0}, tree[root] = root;
  __syncthreads();
  cluster_barrier();
  Mine mine = {NONE, 0, 0, 0, 0};
  if (warp() == 0) keep(lane() == 0, {(Vertex)root, NONE}, firsts[root], ends, rows, kept, 0, mine);
  mine.found = mine.edges = 0;  // the root is counted
  tell(0);
  int turn = 0;
  u32 level = 0, size, before = 0;
  // Piece c of what block w has kept is that of block w + c, so that all have as much to do whoever found it.
#pragma unroll 1
  for (;; turn = 1 - turn) {
    size = lane() < blocks() ? b.seen[turn][lane()] : 0;
    if (!ballot(size) || ballot(size > ROOM)) break;
    before = size, level++;
    u32 mark = min(level, last) << shift;
#pragma unroll 1
    for (u32 t = threadIdx.x / WARP; ballot(size > t / blocks() * blocks() * WARP); t += blockDim.x / WARP) {
      u32 whose = t % blocks(), i = (t / blocks() * blocks() + (blockIdx.x + blocks() - whose) % blocks()) * WARP + lane();
      bool is = i < from_lane(size, whose), won = false;
      Edge e = {NONE, NONE};
      Firsts row;
      if (is) {
        e = read_from_block(&kept[turn * ROOM + i], whose);
        row = firsts[e.to];
        u32 bit = 1u << (e.to & 31), word = atomicOr(&visited[e.to >> 5], bit);
        write_down(mine, tree, deep, last);
        won = !(word & bit);
      }
      if (won) mine.v = e.to, mine.node = mark | e.from, mine.depth = level;
      keep(won, e, row, ends, rows, kept, 1 - turn, mine);
    }
    tell(1 - turn);
  }
  write_down(mine, tree, deep, last);
  u64 found = warp_sum(mine.found), of_found = warp_sum(mine.edges), all = warp_sum(size), all_before = warp_sum(before);
  if (lane() == 0) {
    atomicAdd((u64*)&state->position.open, 0 - found);
    atomicAdd((u64*)&state->position.unexplored, 0 - of_found);
  }
  if (thread() == 0) state->position.level = level, state->position.found = all, state->position.before = all_before;
}
