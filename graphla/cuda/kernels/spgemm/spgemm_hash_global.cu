// C = A B by Gustavson's method for rows that are too long for shared memory: each row has a hash table in global memory.
//
// Work split: all warps work on all rows of a batch: a warp takes an entry A(i,k), its lanes the entries of row k of B.
// Passes: `hash_global_count` finds the row lengths; `hash_global_clear`, `_fill` and `_list` compute the entries and list
// them; the host argsorts them; `_write` writes them to C.
// Conflicts: by atomics on the tables.
// Memory: reads row k of B for each entry A(i,k), in both passes; a table has at least twice as many slots as its row has
// entries (or products, while they are counted). Each entry of C is listed with an 8-byte key before it is sorted.
// Defined before: what spgemm_multiply.cuh needs; COffset and MASK; CHUNK: slots of one table that a block lists at a time.
//
// Row r of a batch is row rows[r] of C; entry_offsets[r] (nrows + 1 of them): number of entries of A in the rows before it;
// table_offsets[r]: first slot of its table, which has a power of two of slots (or is a bitmap), and at least CHUNK.
#include "warp.cuh"
#include "spgemm_multiply.cuh"
#include "hash_table.cuh"
typedef typename WordOf<sizeof(Index)>::T Key;
#define EMPTY (~(Key)0)

// The r with offsets[r] <= t < offsets[r + 1].
__device__ __forceinline__ i64 batch_row(const i64* offsets, i64 nrows, i64 t) { return lower_bound(offsets, 0, nrows, t + 1) - 1; }

// Call visit(r, p, q, i, k, j) for the products of all rows of the batch, and finish_entry(r) after each entry of A.
template <class Visit, class FinishEntry>
__device__ __forceinline__ void for_each_batch_product(const Operands& operands, const i64* rows, i64 nrows, const i64* entry_offsets, Visit visit,
                                                       FinishEntry finish_entry) {
  for (i64 t = warp(); t < entry_offsets[nrows]; t += warps()) {
    i64 r = batch_row(entry_offsets, nrows, t), i = rows[r], p = operands.a_offsets[i] + (t - entry_offsets[r]);
    i64 k = operands.a_columns[p], end = operands.b_offsets[k + 1];
    for (i64 q = operands.b_offsets[k] + lane(); q < end; q += WARP) {
      i64 j = operands.b_columns[q];
      if (mask_allows<MASK>(operands, i, j)) visit(r, p, q, i, k, j);
    }
    finish_entry(r);
  }
}

extern "C" __global__ void hash_global_clear(i64 nslots, Key* keys, Word* sums) {
  for (i64 slot = thread(); slot < nslots; slot += threads()) {
    keys[slot] = EMPTY;
    sums[slot] = to_word(Add::identity());
  }
}

// Insert column j into a table; returns whether it is new. If a bitmap of all columns is no larger than the table, the
// memory of the table is a bitmap instead, in which 1 means missing.
__device__ __forceinline__ bool insert_column(Key* keys, i64 nslots, i64 ncols, i64 j) {
  const int BITS = 8 * sizeof(Key);
  bool is_new;
  if (nslots * BITS < ncols) {
    insert(keys, nslots, (Key)j, is_new);
  } else {
    Key bit = (Key)1 << (j % BITS), *word = &keys[j / BITS];
    is_new = *(volatile Key*)word & bit && atomicAnd(word, ~bit) & bit;
  }
  return is_new;
}

// lengths[r]: number of entries of the row, 0 before; all keys are ~0 before.
extern "C" __global__ void hash_global_count(
    const i64* rows, i64 nrows, i64 ncols, const i64* entry_offsets, const i64* table_offsets, const AOffset* a_offsets,
    const AIndex* a_columns, const BOffset* b_offsets, const Index* b_columns, const MOffset* mask_offsets, const MIndex* mask_columns,
    Key* keys, u64* lengths) {
  Operands operands = {a_offsets, a_columns, nullptr, b_offsets, b_columns, nullptr, mask_offsets, mask_columns};
  u32 inserted = 0;
  for_each_batch_product(operands, rows, nrows, entry_offsets,
    [&](i64 r, i64 p, i64 q, i64 i, i64 k, i64 j) {
      inserted += insert_column(keys + table_offsets[r], table_offsets[r + 1] - table_offsets[r], ncols, j);
    },
    [&](i64 r) {
      if (inserted) atomicAdd(&lengths[r], (u64)inserted);
      inserted = 0;
    });
}

extern "C" __global__ void hash_global_fill(
    const i64* rows, i64 nrows, const i64* entry_offsets, const i64* table_offsets, const AOffset* a_offsets, const AIndex* a_columns,
    const AType* a_values, const BOffset* b_offsets, const Index* b_columns, const BType* b_values, const MOffset* mask_offsets,
    const MIndex* mask_columns, Key* keys, Word* sums) {
  Operands operands = {a_offsets, a_columns, a_values, b_offsets, b_columns, b_values, mask_offsets, mask_columns};
  for_each_batch_product(operands, rows, nrows, entry_offsets,
    [&](i64 r, i64 p, i64 q, i64 i, i64 k, i64 j) {
      bool is_new;
      u32 slot = insert(keys + table_offsets[r], table_offsets[r + 1] - table_offsets[r], (Key)j, is_new);
      atomic_accumulate(&sums[table_offsets[r] + slot], product(operands, p, q, i, k, j));
    },
    [](i64 r) {});
}

// List the entries of all tables, unsorted, those of row r from list_offsets[r] on: sort_keys are
// r << column_bits | column. listed[r]: number of entries listed, 0 before.
extern "C" __global__ void hash_global_list(
    i64 nrows, const i64* table_offsets, const Key* keys, const Word* sums, const i64* list_offsets, i64 column_bits, u64* listed,
    i64* sort_keys, Z* values) {
  for (i64 first = (i64)blockIdx.x * CHUNK; first < table_offsets[nrows]; first += (i64)gridDim.x * CHUNK) {
    i64 r = batch_row(table_offsets, nrows, first);
    for (int s = threadIdx.x; s < CHUNK; s += blockDim.x) {
      Key key = keys[first + s];
      if (key == EMPTY) continue;
      i64 place = list_offsets[r] + append(&listed[r]);
      sort_keys[place] = r << column_bits | (i64)key;
      values[place] = from_word(sums[first + s]);
    }
  }
}

// Write the listed entries to C; `order` sorts sort_keys.
extern "C" __global__ void hash_global_write(
    i64 nvals, const i64* order, const i64* sort_keys, const Z* values, const i64* list_offsets, i64 column_bits, const i64* rows,
    const COffset* c_offsets, Index* c_columns, Z* c_values) {
  for (i64 t = thread(); t < nvals; t += threads()) {
    i64 place = order[t], r = sort_keys[place] >> column_bits, c = c_offsets[rows[r]] + (t - list_offsets[r]);
    c_columns[c] = sort_keys[place] & ((1LL << column_bits) - 1);
    c_values[c] = values[place];
  }
}
