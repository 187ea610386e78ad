// The columns of a sorted row in shared memory, to be asked by all threads of a block: a bit for
// each column below PREFIX (where a graph numbered by falling degree has most of its entries), a
// hash table for those from there on (at most TAIL). Where a call defines POSITION as 1, `find`
// also says at which place of the row a column stands.
enum { PREFIX = POSITION ? 1 << 16 : 1 << 17, PLACES = 2048, TAIL = 1536, LONGEST = 65535 };

template <class Index> struct RowSet {
  typedef typename Word<sizeof(Index)>::T Key;
  u32 bits[PREFIX / 32];
  unsigned short before[POSITION ? PREFIX / 32 : 1];  // place of the first column of a word
  Key keys[PLACES];
  unsigned short at[POSITION ? PLACES : 1];

  // Make it empty, before its first use.
  __device__ void clear() {
    for (int w = threadIdx.x; w < PREFIX / 32; w += blockDim.x) bits[w] = 0;
    for (int s = threadIdx.x; s < PLACES; s += blockDim.x) keys[s] = ~(Key)0;
  }
  // Put in the row; returns what `find` and `remove` want: the size of the table, 0 for none.
  __device__ u32 add(const Index* row, i64 length) {
    u32 capacity = row[length - 1] < PREFIX ? 0 : room(length, PLACES);
    for (i64 t = threadIdx.x; t < length; t += blockDim.x) {
      Index k = row[t];
      if (k < PREFIX) {
        atomicOr(&bits[k >> 5], 1u << (k & 31));
        if (POSITION && (t == 0 || row[t - 1] >> 5 != k >> 5)) before[k >> 5] = t;
      } else {
        bool fresh;
        u32 s = insert(keys, capacity, (Key)k, fresh);
        if (POSITION) at[s] = t;
      }
    }
    return capacity;
  }
  __device__ void remove(const Index* row, i64 length, u32 capacity) {
    for (i64 t = threadIdx.x; t < length && row[t] < PREFIX; t += blockDim.x) bits[row[t] >> 5] = 0;
    for (u32 s = threadIdx.x; s < capacity; s += blockDim.x) keys[s] = ~(Key)0;
  }
  // The place of k in the row (some number >= 0 where not POSITION), or -1.
  __device__ __forceinline__ int find(Index k, u32 capacity) const {
    if (k < PREFIX) {
      u32 word = bits[k >> 5], bit = 1u << (k & 31);
      if (!(word & bit)) return -1;
      return POSITION ? before[k >> 5] + __popc(word & (bit - 1)) : 0;
    }
    if (!capacity) return -1;
    u32 s = ::find(keys, capacity, (Key)k);
    return s == capacity ? -1 : POSITION ? at[s] : 0;
  }
};
