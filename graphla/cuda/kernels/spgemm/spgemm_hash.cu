// C = A B by Gustavson's method, row by row: the products of a row are collected in a hash table in shared memory.
//
// Work split: a team, which is a warp (short rows) or a block, computes one row of C at a time; its threads are split into
// groups, and each group reads one row of B at a time. Two passes: `hash_count` finds the number of entries of each row,
// `hash_fill` computes the row, compacts the table, sorts it by column (bitonic sort) and writes it.
// Conflicts: within a team, by atomics in shared memory; each row of C is written by one team.
// Memory: reads row k of B for each entry A(i,k), in each pass; the mask is searched for each product; writes C once.
// Defined before: what spgemm_multiply.cuh needs; Team (WarpTeam or BlockTeam), COffset and MASK; BLOCK_WARPS: warps of
// a block.
#include "warp.cuh"
#include "spgemm_multiply.cuh"
#include "hash_table.cuh"
enum { SLOTS = 2048 };  // slots of a block's table, shared equally if its warps are teams
struct WarpTeam {
  static const int CAPACITY = SLOTS / BLOCK_WARPS;
  static __device__ int rank() { return lane(); }
  static __device__ int size() { return WARP; }
  static __device__ int index_in_block() { return threadIdx.x / WARP; }
  static __device__ i64 index() { return warp(); }
  static __device__ i64 teams() { return warps(); }
  static __device__ void sync() { __syncwarp(); }
};
struct BlockTeam {
  static const int CAPACITY = SLOTS;
  static __device__ int rank() { return threadIdx.x; }
  static __device__ int size() { return blockDim.x; }
  static __device__ int index_in_block() { return 0; }
  static __device__ i64 index() { return blockIdx.x; }
  static __device__ i64 teams() { return gridDim.x; }
  static __device__ void sync() { __syncthreads(); }
};
typedef typename WordOf<sizeof(Index)>::T Key;
#define EMPTY (~(Key)0)

// max_lengths[i]: number of products of row i; lengths[i]: number of its entries.
extern "C" __global__ void hash_count(
    const i64* rows, i64 nrows, i64 group_size, const AOffset* a_offsets, const AIndex* a_columns, const BOffset* b_offsets,
    const Index* b_columns, const MOffset* mask_offsets, const MIndex* mask_columns, const i64* max_lengths, i64* lengths) {
  __shared__ Key tables[SLOTS];
  __shared__ u32 team_lengths[BLOCK_WARPS];
  Operands operands = {a_offsets, a_columns, nullptr, b_offsets, b_columns, nullptr, mask_offsets, mask_columns};
  Key* keys = tables + Team::index_in_block() * Team::CAPACITY;
  int rank = Team::rank(), size = Team::size();
  for (i64 r = Team::index(); r < nrows; r += Team::teams()) {
    i64 i = rows[r];
    u32 capacity = table_capacity(max_lengths[i], Team::CAPACITY), inserted = 0;
    for (u32 slot = rank; slot < capacity; slot += size) keys[slot] = EMPTY;
    if (rank == 0) team_lengths[Team::index_in_block()] = 0;
    Team::sync();
    for_each_product(operands, i, rank, size, min((int)group_size, size), [&](i64 p, i64 k, i64 q, i64 j) {
      bool is_new = false;
      if (mask_allows<MASK>(operands, i, j)) insert(keys, capacity, (Key)j, is_new);
      inserted += is_new;
    });
    if (inserted) atomicAdd(&team_lengths[Team::index_in_block()], inserted);
    Team::sync();
    if (rank == 0) lengths[i] = team_lengths[Team::index_in_block()];
    Team::sync();
  }
}

// Move the used slots of a table to its front, in place: slots are read in ascending order, `size` at a time, and
// written to places that have been read before.
__device__ __forceinline__ void compact_table(Key* keys, Word* sums, u32 capacity, u32* used_slots) {
  int rank = Team::rank(), size = Team::size();
  if (rank == 0) *used_slots = 0;
  for (u32 first = 0; first < capacity; first += size) {
    u32 slot = first + rank;
    Key key = slot < capacity ? keys[slot] : EMPTY;
    Word sum = key != EMPTY ? sums[slot] : 0;
    Team::sync();
    if (key != EMPTY) {
      u32 place = atomicAdd(used_slots, 1u);
      keys[place] = key;
      sums[place] = sum;
    }
    Team::sync();
  }
}

// Sort the first `length` keys, and their sums with them, by a bitonic network.
__device__ __forceinline__ void sort_by_key(Key* keys, Word* sums, u32 length) {
  u32 padded_length = 1, rank = Team::rank(), size = Team::size();
  while (padded_length < length) padded_length *= 2;
  for (u32 s = length + rank; s < padded_length; s += size) keys[s] = EMPTY;
  Team::sync();
  for (u32 sorted_length = 2; sorted_length <= padded_length; sorted_length *= 2)
    for (u32 step = sorted_length / 2; step; step /= 2) {
      for (u32 t = rank; t < padded_length / 2; t += size) {
        u32 low = 2 * t - (t & (step - 1)), high = low + step;
        Key low_key = keys[low], high_key = keys[high];
        if ((low_key > high_key) == !(low & sorted_length)) {
          Word low_sum = sums[low];
          keys[low] = high_key, keys[high] = low_key;
          sums[low] = sums[high], sums[high] = low_sum;
        }
      }
      Team::sync();
    }
}

extern "C" __global__ void hash_fill(
    const i64* rows, i64 nrows, i64 group_size, const AOffset* a_offsets, const AIndex* a_columns, const AType* a_values,
    const BOffset* b_offsets, const Index* b_columns, const BType* b_values, const MOffset* mask_offsets, const MIndex* mask_columns,
    const COffset* c_offsets, Index* c_columns, Z* c_values) {
  __shared__ Key tables[SLOTS];
  __shared__ Word table_sums[SLOTS];
  __shared__ u32 used_slots[BLOCK_WARPS];
  Operands operands = {a_offsets, a_columns, a_values, b_offsets, b_columns, b_values, mask_offsets, mask_columns};
  Key* keys = tables + Team::index_in_block() * Team::CAPACITY;
  Word* sums = table_sums + Team::index_in_block() * Team::CAPACITY;
  int rank = Team::rank(), size = Team::size();
  for (i64 r = Team::index(); r < nrows; r += Team::teams()) {
    i64 i = rows[r];
    u32 length = c_offsets[i + 1] - c_offsets[i], capacity = table_capacity(length, Team::CAPACITY);
    for (u32 slot = rank; slot < capacity; slot += size) {
      keys[slot] = EMPTY;
      sums[slot] = to_word(Add::identity());
    }
    Team::sync();
    for_each_product(operands, i, rank, size, min((int)group_size, size), [&](i64 p, i64 k, i64 q, i64 j) {
      bool is_new;
      if (mask_allows<MASK>(operands, i, j)) atomic_accumulate(&sums[insert(keys, capacity, (Key)j, is_new)], product(operands, p, q, i, k, j));
    });
    Team::sync();
    compact_table(keys, sums, capacity, &used_slots[Team::index_in_block()]);
    sort_by_key(keys, sums, length);
    for (u32 s = rank; s < length; s += size) {
      c_columns[c_offsets[i] + s] = keys[s];
      c_values[c_offsets[i] + s] = from_word(sums[s]);
    }
    Team::sync();
  }
}
