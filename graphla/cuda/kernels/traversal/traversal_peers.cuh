// The frontier of a traversal whose vertices lie on several devices.
//
// Each device has all of the frontier in its own memory: bits, or a list of which each device has written one segment.
// A kernel writes its part of the new frontier to its own arrays, and to the memory of all devices. There the next level
// reads it, once all devices have ended this one: a launch for several levels waits for them (sum_over_devices), after a
// launch for one level the hosts exchange a word. Two buffers are written in turn, so that no device overwrites what another
// one still reads.
// Defined before: PEERS, whether there are such devices; FrontierKey, the type of a vertex of all of them; what types.cuh needs.
#include "warp.cuh"
enum { PUSH_NEXT = 1, IS_CUT_OFF = 2 };  // bits of what a launch reports to the host
// What a device writes to another one at the end of a level: its new entries and their edges, and, last, the level's number.
struct Arrival {
  u64 level, size, edges;
};
struct Peer {
  u32* bits;          // of this device's vertices
  FrontierKey* keys;  // this device's segment
  u64* size;          // of the segment; it may exceed the capacity
  Arrival* arrival;   // from this device
};
struct Peers {
  i64 count, rank, capacity;    // devices; the number of this one; of a segment
  i64 first_vertex, nvertices;  // the first vertex of this device; vertices of all
  u32* bits;                    // of the frontier that is read
  const FrontierKey* keys;      // the same as a list; null if the level reads bits
  const u64* sizes;             // of its segments
  const Arrival* arrivals;      // of all devices, at the end of the level
  i64 words_to_next;            // to the Peers of the level after this one, whose next is this one again
  Peer peer[1];                 // `count` of them: where this device writes
  __device__ __forceinline__ const Peers* next() const { return (const Peers*)((const u64*)this + words_to_next); }
};

// The frontier as a list: one array, or a segment for each device.
struct FrontierList {
  const u64* one_size;
  const Index* one_list;
  const U* values;
  const Peers* peers;
  __device__ __forceinline__ bool exists() const { return PEERS ? peers->keys != 0 : one_list != 0; }
  __device__ __forceinline__ i64 size() const {
    if (!PEERS) return *one_size;
    i64 total = 0;
    for (i64 p = 0; p < peers->count; p++) total += peers->sizes[p];
    return total;
  }
  __device__ __forceinline__ i64 key(i64 k) const {
    if (!PEERS) return one_list[k];
    i64 p = 0;
    for (; k >= (i64)peers->sizes[p]; p++) k -= peers->sizes[p];
    return peers->keys[p * peers->capacity + k];
  }
};

// Write word w of this device's bits of the new frontier to all devices, unless they have it already, as most words are 0 in
// the last levels. The lanes of a warp should write consecutive words, since a link carries single ones slowly.
__device__ __forceinline__ void send_word(const Peers* peers, i64 w, u32 word) {
  if (!PEERS || word == peers->peer[peers->rank].bits[w]) return;
  for (i64 p = 0; p < peers->count; p++) peers->peer[p].bits[w] = word;
}
// Write entry k of this device's list to all devices, unless their segments are full.
__device__ __forceinline__ void send_entry(const Peers* peers, i64 k, i64 key) {
  if (!PEERS || k >= peers->capacity) return;
  for (i64 p = 0; p < peers->count; p++) peers->peer[p].keys[k] = (FrontierKey)(key + peers->first_vertex);
}
__device__ __forceinline__ void send_size(const Peers* peers, i64 size) {
  for (i64 p = 0; PEERS && p < peers->count; p++) *peers->peer[p].size = size;
}
// Let all devices see what this thread has sent, before this is published.
__device__ __forceinline__ void finish_sending() {
  if (PEERS) __threadfence_system();
}

__device__ __forceinline__ u64 nanoseconds() {
#ifdef SIMULATED
  static u64 now;  // seconds pass at each call
  return now += 1000000000;
#else
  u64 now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
#endif
}
enum { MAX_WAIT_SECONDS = 30 };
// Publish to all devices how many entries this one has found, and with how many edges, and return the sums of all, and the
// largest size. One thread calls it, when all that its device has sent is visible. `level` is a number that grows.
// Returns false if a device has not ended the level in MAX_WAIT_SECONDS: its process may have ended.
__device__ __forceinline__ bool sum_over_devices(const Peers* peers, u64 level, i64& size, i64& edges, i64& largest) {
  for (i64 p = 0; p < peers->count; p++) {
    volatile Arrival* arrival = peers->peer[p].arrival;
    arrival->size = size, arrival->edges = edges;
  }
  __threadfence_system();
  for (i64 p = 0; p < peers->count; p++) *(volatile u64*)&peers->peer[p].arrival->level = level;
  size = edges = largest = 0;
  u64 start = nanoseconds();
  for (i64 p = 0; p < peers->count; p++) {
    const volatile Arrival* arrival = peers->arrivals + p;
    while (arrival->level != level)
      if (nanoseconds() - start > MAX_WAIT_SECONDS * (u64)1000000000) return false;
    __threadfence_system();
    i64 size_there = arrival->size;
    size += size_there, edges += arrival->edges, largest = max(largest, size_there);
  }
  return true;
}
