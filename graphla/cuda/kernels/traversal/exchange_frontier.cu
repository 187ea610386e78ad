// A frontier as a list on all devices (traversal_peers.cuh): sent by the device that has the entries, or made of bits.
//
// Work split: a thread per entry of a list, or per word of bits. Conflicts: list_bits reserves places by one atomic addition
// to the size of the list for a warp.
// Memory: reads the entries, or the bits, once; writes each entry once to each device.
// Defined before: what traversal_peers.cuh needs; Index: the type of this device's vertices.
#include "traversal_peers.cuh"
#include "bits.cuh"
#include "warp.cuh"
#include "host_result.cuh"
// Send this device's list; the host can wait until all of it has arrived. `done` is {0, 0} before.
extern "C" __global__ void send_list(const u64* size, const Index* keys, const Peers* peers, u64* done, u64* host_words) {
  for (i64 k = thread(); k < (i64)*size; k += threads()) send_entry(peers, k, keys[k]);
  if (thread() == 0) send_size(peers, *size);
  finish_sending();
  publish_count(done, host_words);
}

// List the bits of all vertices. `size` is 0 before.
extern "C" __global__ void list_bits(i64 words, const u32* bits, FrontierKey* keys, u64* size) {
  for (i64 w = thread(); w < round_up_to_warps(words); w += threads()) {
    u32 word = w < words ? bits[w] : 0;
    if (!ballot(word)) continue;
    i64 end = inclusive_scan(__popc(word)), total = from_lane(end, WARP - 1), place = 0;
    if (lane() == 0) place = atomicAdd(size, (u64)total);
    place = from_lane(place, 0) + end - __popc(word);
    for (u32 remaining = word; remaining; remaining &= remaining - 1) keys[place++] = (FrontierKey)(w * 32 + __ffs(remaining) - 1);
  }
}
