// The first levels of a breadth-first search by push, by one thread block cluster, while no block queues more than ROOM edges of a
// level; of a graph of high diameter all levels. bfs.cu continues the search.
//
// Work split: each block queues the edges that leave the vertices it finds in its own shared memory. The queues of all blocks are
// cut into chunks of 32 edges: chunk c of block w is expanded by block (w + c) % blocks, one edge per lane, so that all blocks have
// equal work. One cluster barrier per level.
// Conflicts: a vertex is claimed by its visited bit (atomicOr). Queue places are reserved by one shared atomic per warp.
// Memory: for each edge one visited bit and the first FIRSTS neighbours of its end, in one aligned load; queues are read from other
// blocks' shared memory.
//
// Defined before: BLOCKS, ROOM, FIRSTS; what bfs.cuh needs.
#include "bfs.cuh"
#include "cluster.cuh"

struct alignas(8) Edge { Vertex to, from; };

// The first neighbours of a vertex, and NONE after the last; the first one has the mark HAS_MORE if the row is longer.
struct alignas(16) FirstNeighbours { Vertex of[FIRSTS]; };

// Sizes of the queues of two levels by parity. A size above ROOM: the queue lacks edges.
struct QueueSizes {
  u32 own[2];
  u32 all[2][32];  // of each block
};

// A vertex that this thread found but has not written to the tree yet, and counts over all levels.
struct ThreadState {
  Vertex v;
  u32 node, level;
  u64 found, edges;
};

__shared__ QueueSizes queue_sizes;

__device__ __forceinline__ u32 blocks() {
#ifdef SIMULATED
  return gridDim.x;
#else
  return BLOCKS;
#endif
}

// Reserve places for `count` edges of a warp, from `first` on; returns whether they fit.
__device__ __forceinline__ bool reserve(u32 count, int parity, u32& first) {
  first = 0;
  if (lane() == 0) first = atomicAdd(&queue_sizes.own[parity], count);
  first = from_lane(first, 0);
  return first <= ROOM && count <= ROOM - first;
}

// Queue the whole rows of the lanes with a new vertex v, their edges distributed over the lanes. Returns the lane's degree.
__device__ __noinline__ u32 queue_rows(bool is_new, Vertex v, const Offset* offsets, const u32* columns, Edge* queues, int parity) {
  i64 begin = is_new ? offsets[v] : 0, row_end = is_new ? offsets[v + 1] : 0;
  int degree = (int)(row_end - begin), end = warp_scan(degree), warp_edges = from_lane(end, WARP - 1);
  i64 entry_shift = begin - (end - degree);
  Edge* queue = in_shared(queues) + parity * ROOM;
  u32 first;
  if (reserve(warp_edges, parity, first))
#pragma unroll 1
    for (int base = 0; base < warp_edges; base += WARP) {
      int e = base + lane(), owner = owner_lane(end, e);
      i64 p = from_lane(entry_shift, owner) + e;
      Vertex owner_vertex = from_lane(v, owner);
      if (e < warp_edges) queue[first + e] = {columns[p], owner_vertex};
    }
  return degree;
}

// Queue the edges of the new vertices e.to of a warp's lanes. If all of their rows fit in `row`, edges back to e.from are left out.
__device__ __forceinline__ void queue_edges(bool is_new, Edge e, const FirstNeighbours& row, const Offset* offsets, const u32* columns,
                                            Edge* queues, int parity, ThreadState& state) {
  state.found += is_new;
  if (ballot(is_new && row.of[0] != NONE && row.of[0] & HAS_MORE)) {
    state.edges += queue_rows(is_new, e.to, offsets, columns, queues, parity);
    return;
  }
  u32 place[FIRSTS], count = 0, first;
#pragma unroll
  for (int k = 0; k < FIRSTS; k++) {
    bool is_edge = is_new && row.of[k] != NONE, is_queued = is_edge && row.of[k] != e.from;
    u32 lanes = ballot(is_queued);
    place[k] = is_queued ? count + __popc(lanes & lanes_below_mask()) : NONE;
    count += __popc(lanes);
    state.edges += is_edge;
  }
  if (!count || !reserve(count, parity, first)) return;
#pragma unroll
  for (int k = 0; k < FIRSTS; k++)
    if (place[k] != NONE) queues[parity * ROOM + first + place[k]] = {row.of[k], e.to};
}

// Write the pending vertex to the tree. This is delayed to the next level: the release at the cluster barrier would wait for the
// write if it came just before.
__device__ __forceinline__ void write_pending(ThreadState& state, u32* tree, u32* deep_levels, u32 deep) {
  if (state.v == NONE) return;
  tree[state.v] = state.node;
  if (state.level >= deep) deep_levels[state.v] = state.level;
  state.v = NONE;
}

// Give the size of this block's queue to all blocks, clear that of the other parity, and wait for all blocks.
__device__ __forceinline__ void exchange_sizes(int parity) {
  __syncthreads();
  if (threadIdx.x < WARP) {
    for (int k = lane(); k < blocks(); k += WARP) write_to_block(&queue_sizes.all[parity][blockIdx.x], k, queue_sizes.own[parity]);
    if (lane() == 0) queue_sizes.own[1 - parity] = 0;
  }
  cluster_barrier();
}

// rank[source] < 0: the source is isolated, and nothing is written. If a level does not fit in the queues, it is the frontier
// with which bfs.cu continues.
extern "C" __global__ void CLUSTER(BLOCKS) __launch_bounds__(1024, 1)
    bfs_cluster(i64 n, i64 source, const i32* rank, const Offset* offsets, const u32* columns, const FirstNeighbours* first_neighbours,
                u32* tree, u32* deep_levels, u32* visited, State* grid_state, i64 num_edges, i64 level_shift) {
  SHARED_ARRAY(Edge, queues);
  const u32 deep = (1ll << (32 - level_shift)) - 1;  // levels from here on do not fit in a node
  i64 root = rank[source];
  if (root < 0) return;
  for (i64 w = thread(); w < (n + 31) / 32; w += threads())
    visited[w] = (w == n >> 5 ? ~0u << (n & 31) : 0) | (w == root >> 5 ? 1u << (root & 31) : 0);
  if (threadIdx.x == 0) queue_sizes.own[0] = queue_sizes.own[1] = 0;
  if (thread() == 0) grid_state->progress = {0, n - 1, num_edges, 1, 0, 0, 0}, tree[root] = root;
  __syncthreads();
  cluster_barrier();
  ThreadState state = {NONE, 0, 0, 0, 0};
  if (warp() == 0) queue_edges(lane() == 0, {(Vertex)root, NONE}, first_neighbours[root], offsets, columns, queues, 0, state);
  state.found = state.edges = 0;  // the counts do not include the root
  exchange_sizes(0);
  int parity = 0;
  u32 level = 0, size, previous_size = 0;  // lane l: size of the queue of block l
#pragma unroll 1
  for (;; parity = 1 - parity) {
    size = lane() < blocks() ? queue_sizes.all[parity][lane()] : 0;
    if (!ballot(size) || ballot(size > ROOM)) break;
    previous_size = size, level++;
    u32 level_bits = min(level, deep) << level_shift;
    // task t: a chunk of the queue of block t % blocks
#pragma unroll 1
    for (u32 t = threadIdx.x / WARP; ballot(size > t / blocks() * blocks() * WARP); t += blockDim.x / WARP) {
      u32 owner = t % blocks(), i = (t / blocks() * blocks() + (blockIdx.x + blocks() - owner) % blocks()) * WARP + lane();
      bool has_edge = i < from_lane(size, owner), is_new = false;
      Edge e = {NONE, NONE};
      FirstNeighbours row;
      if (has_edge) {
        e = read_from_block(&queues[parity * ROOM + i], owner);
        row = first_neighbours[e.to];
        u32 bit = 1u << (e.to & 31), word = atomicOr(&visited[e.to >> 5], bit);
        write_pending(state, tree, deep_levels, deep);
        is_new = !(word & bit);
      }
      if (is_new) state.v = e.to, state.node = level_bits | e.from, state.level = level;
      queue_edges(is_new, e, row, offsets, columns, queues, 1 - parity, state);
    }
    exchange_sizes(1 - parity);
  }
  write_pending(state, tree, deep_levels, deep);
  u64 found = warp_sum(state.found), found_edges = warp_sum(state.edges), queued = warp_sum(size), previous_queued = warp_sum(previous_size);
  if (lane() == 0) {
    atomicAdd((u64*)&grid_state->progress.unvisited, 0 - found);
    atomicAdd((u64*)&grid_state->progress.unvisited_edges, 0 - found_edges);
  }
  if (thread() == 0) {
    grid_state->progress.level = level;
    grid_state->progress.frontier_size = queued, grid_state->progress.previous_edges = previous_queued;
  }
}
