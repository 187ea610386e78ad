// Asynchronous copies from global to shared memory, which use no registers, so that a thread may have many in flight.
#include "warp.cuh"

// Copy 16 bytes; both addresses are multiples of 16.
__device__ __forceinline__ void async_copy_16(void* shared, const void* global) {
#ifdef SIMULATED
  memcpy(shared, global, 16);
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((u32)__cvta_generic_to_shared(shared)), "l"(global) : "memory");
#endif
}

// Wait for the copies of this thread.
__device__ __forceinline__ void wait_for_copies() {
#ifndef SIMULATED
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
