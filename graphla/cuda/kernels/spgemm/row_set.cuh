// A sorted row in shared memory as a set of columns that all threads of a block look up.
//
// A column below PREFIX is one bit: in a graph sorted by falling degree, most columns are small. The others, at most
// MAX_HASHED, are in a hash table. Defined before: MAX_HASHED, below SLOTS; POSITION: 1 if `find` returns the place of a
// column in its row.
enum { PREFIX = POSITION ? 1 << 16 : 1 << 17, SLOTS = 2048, MAX_ROW_LENGTH = 65535 };

template <class Index> struct RowSet {
  typedef typename WordOf<sizeof(Index)>::T Key;
  u32 bits[PREFIX / 32];
  unsigned short word_place[POSITION ? PREFIX / 32 : 1];  // place of the first column of a word of bits
  Key keys[SLOTS];
  unsigned short slot_place[POSITION ? SLOTS : 1];

  // Empty the set before its first use.
  __device__ void clear() {
    for (int word = threadIdx.x; word < PREFIX / 32; word += blockDim.x) bits[word] = 0;
    for (int slot = threadIdx.x; slot < SLOTS; slot += blockDim.x) keys[slot] = ~(Key)0;
  }
  // Add a row to an empty set. Returns the capacity of the hash table, 0 if it is not used, for `find` and `remove`.
  __device__ u32 add(const Index* row, i64 length) {
    u32 capacity = row[length - 1] < PREFIX ? 0 : table_capacity(length, SLOTS);
    for (i64 t = threadIdx.x; t < length; t += blockDim.x) {
      Index column = row[t];
      if (column < PREFIX) {
        atomicOr(&bits[column >> 5], 1u << (column & 31));
        if (POSITION && (t == 0 || row[t - 1] >> 5 != column >> 5)) word_place[column >> 5] = t;
      } else {
        bool is_new;
        u32 slot = insert(keys, capacity, (Key)column, is_new);
        if (POSITION) slot_place[slot] = t;
      }
    }
    return capacity;
  }
  // Remove the row that `add` added.
  __device__ void remove(const Index* row, i64 length, u32 capacity) {
    for (i64 t = threadIdx.x; t < length && row[t] < PREFIX; t += blockDim.x) bits[row[t] >> 5] = 0;
    for (u32 slot = threadIdx.x; slot < capacity; slot += blockDim.x) keys[slot] = ~(Key)0;
  }
  // The place of `column` in the row (without POSITION, any number >= 0), or -1 if it is missing.
  __device__ __forceinline__ int find(Index column, u32 capacity) const {
    if (column < PREFIX) {
      u32 word = bits[column >> 5], bit = 1u << (column & 31);
      if (!(word & bit)) return -1;
      return POSITION ? word_place[column >> 5] + __popc(word & (bit - 1)) : 0;
    }
    if (!capacity) return -1;
    u32 slot = ::find(keys, capacity, (Key)column);
    return slot == capacity ? -1 : POSITION ? slot_place[slot] : 0;
  }
};
