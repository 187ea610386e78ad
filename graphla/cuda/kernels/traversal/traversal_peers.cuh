// The frontier of a traversal whose vertices lie on several devices.
//
// Each device has all of the frontier in its own memory: bits, or a list of which each device has written one segment.
// A kernel writes its part of the new frontier to its own arrays, and to the memory of all devices. There the next kernel
// reads it, once the host has learnt that the kernels of all devices have ended.
// Defined before: PEERS, whether there are such devices; FrontierKey, the type of a vertex of all of them; what types.cuh needs.
#include "warp.cuh"
struct Peer {
  u32* bits;          // of this device's vertices
  FrontierKey* keys;  // this device's segment
  u64* size;          // of the segment; it may exceed the capacity
};
struct Peers {
  i64 count, rank, capacity;      // devices; the number of this one; of a segment
  i64 first_vertex, nvertices;    // the first vertex of this device; vertices of all
  const u64* sizes;                              // of the segments of the frontier that is read
  const FrontierKey* keys;
  Peer peer[1];  // `count` of them: where this device writes
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

// Write the bits of this device's vertices to all devices; all threads of the grid call it, and then finish_sending. The
// words of a warp are consecutive: single ones cross the link at a tenth of the speed. Words that the devices have already,
// as most are 0 in the last levels, are not sent.
__device__ __forceinline__ void send_bits(const Peers* peers, i64 words, const u32* bits) {
  const u32* sent_before = peers->peer[peers->rank].bits;
  for (i64 w = thread(); w < words; w += threads()) {
    u32 word = __ldcg(bits + w);
    if (word == sent_before[w]) continue;
    for (i64 p = 0; p < peers->count; p++) peers->peer[p].bits[w] = word;
  }
}
// Write entry k of this device's list to all devices, unless their segments are full.
__device__ __forceinline__ void send_entry(const Peers* peers, i64 k, i64 key) {
  if (!PEERS || k >= peers->capacity) return;
  for (i64 p = 0; p < peers->count; p++) peers->peer[p].keys[k] = (FrontierKey)(key + peers->first_vertex);
}
__device__ __forceinline__ void send_size(const Peers* peers, i64 size) {
  for (i64 p = 0; PEERS && p < peers->count; p++) *peers->peer[p].size = size;
}
// Let all devices see what this thread has sent, before the host is told so.
__device__ __forceinline__ void finish_sending() {
  if (PEERS) __threadfence_system();
}
