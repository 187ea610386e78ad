// Rows of C = A B by Gustavson's method: the products of a row meet in a hash table in shared
// memory. A team, which is a warp (short rows) or a block, has one row at a time. `count` finds
// the number of entries of each row, `fill` computes, sorts and writes them.
//
// A call also defines Team (WarpTeam or BlockTeam), COffset and MASK (spgemm_multiply.cuh).
#include "warp.cuh"
#include "spgemm_multiply.cuh"
#include "hash_table.cuh"
enum { PLACES = 2048, BLOCK_WARPS = 8 };
struct WarpTeam {
  static const int TABLE = PLACES / BLOCK_WARPS;
  static __device__ int rank() { return lane(); }
  static __device__ int size() { return WARP; }
  static __device__ int local() { return threadIdx.x / WARP; }
  static __device__ i64 index() { return warp(); }
  static __device__ i64 teams() { return warps(); }
  static __device__ void sync() { __syncwarp(); }
};
struct BlockTeam {
  static const int TABLE = PLACES;
  static __device__ int rank() { return threadIdx.x; }
  static __device__ int size() { return blockDim.x; }
  static __device__ int local() { return 0; }
  static __device__ i64 index() { return blockIdx.x; }
  static __device__ i64 teams() { return gridDim.x; }
  static __device__ void sync() { __syncthreads(); }
};
typedef typename Word<sizeof(Index)>::T Key;
#define FREE (~(Key)0)

// bound[i]: number of products of row i; count[i]: number of its entries.
extern "C" __global__ void hash_count(
    const i64* rows, i64 n, i64 group, const AOffset* ap, const AIndex* ai, const BOffset* bp, const Index* bi,
    const MOffset* mp, const MIndex* mi, const i64* bound, i64* count) {
  __shared__ Key tables[PLACES];
  __shared__ u32 found[BLOCK_WARPS];
  Operands o = {ap, ai, nullptr, bp, bi, nullptr, mp, mi};
  Key* keys = tables + Team::local() * Team::TABLE;
  int rank = Team::rank(), size = Team::size();
  for (i64 r = Team::index(); r < n; r += Team::teams()) {
    i64 i = rows[r];
    u32 capacity = room(bound[i], Team::TABLE), mine = 0;
    for (u32 s = rank; s < capacity; s += size) keys[s] = FREE;
    if (rank == 0) found[Team::local()] = 0;
    Team::sync();
    products(o, i, rank, size, min((int)group, size), [&](i64 p, i64 k, i64 q, i64 j) {
      bool fresh = false;
      if (open<MASK>(o, i, j)) insert(keys, capacity, (Key)j, fresh);
      mine += fresh;
    });
    if (mine) atomicAdd(&found[Team::local()], mine);
    Team::sync();
    if (rank == 0) count[i] = found[Team::local()];
    Team::sync();
  }
}

// Move the used places of a table to its front; a place read is never before one written.
__device__ __forceinline__ void gather(Key* keys, Sum* sums, u32 capacity, u32* used) {
  int rank = Team::rank(), size = Team::size();
  if (rank == 0) *used = 0;
  for (u32 first = 0; first < capacity; first += size) {
    u32 s = first + rank;
    Key k = s < capacity ? keys[s] : FREE;
    Sum sum = k != FREE ? sums[s] : 0;
    Team::sync();
    if (k != FREE) {
      u32 at = atomicAdd(used, 1u);
      keys[at] = k;
      sums[at] = sum;
    }
    Team::sync();
  }
}

// Sort the first `used` of keys by a bitonic network.
__device__ __forceinline__ void sort(Key* keys, Sum* sums, u32 used) {
  u32 n = 1, rank = Team::rank(), size = Team::size();
  while (n < used) n *= 2;
  for (u32 s = used + rank; s < n; s += size) keys[s] = FREE;
  Team::sync();
  for (u32 length = 2; length <= n; length *= 2)
    for (u32 step = length / 2; step; step /= 2) {
      for (u32 t = rank; t < n / 2; t += size) {
        u32 low = 2 * t - (t & (step - 1)), high = low + step;
        Key a = keys[low], b = keys[high];
        if ((a > b) == !(low & length)) {
          Sum x = sums[low];
          keys[low] = b, keys[high] = a;
          sums[low] = sums[high], sums[high] = x;
        }
      }
      Team::sync();
    }
}

// cp: where the rows of C begin; ci, cx: their columns and values.
extern "C" __global__ void hash_fill(
    const i64* rows, i64 n, i64 group, const AOffset* ap, const AIndex* ai, const AType* ax, const BOffset* bp,
    const Index* bi, const BType* bx, const MOffset* mp, const MIndex* mi, const COffset* cp, Index* ci, Z* cx) {
  __shared__ Key tables[PLACES];
  __shared__ Sum totals[PLACES];
  __shared__ u32 used[BLOCK_WARPS];
  Operands o = {ap, ai, ax, bp, bi, bx, mp, mi};
  Key* keys = tables + Team::local() * Team::TABLE;
  Sum* sums = totals + Team::local() * Team::TABLE;
  int rank = Team::rank(), size = Team::size();
  for (i64 r = Team::index(); r < n; r += Team::teams()) {
    i64 i = rows[r];
    u32 length = cp[i + 1] - cp[i], capacity = room(length, Team::TABLE);
    for (u32 s = rank; s < capacity; s += size) {
      keys[s] = FREE;
      sums[s] = pack(Add::identity());
    }
    Team::sync();
    products(o, i, rank, size, min((int)group, size), [&](i64 p, i64 k, i64 q, i64 j) {
      bool fresh;
      if (open<MASK>(o, i, j)) accumulate(&sums[insert(keys, capacity, (Key)j, fresh)], product(o, p, q, i, k, j));
    });
    Team::sync();
    gather(keys, sums, capacity, &used[Team::local()]);
    sort(keys, sums, length);
    for (u32 s = rank; s < length; s += size) {
      ci[cp[i] + s] = keys[s];
      cx[cp[i] + s] = unpack(sums[s]);
    }
    Team::sync();
  }
}
