// Copies from global to shared memory that pass no registers: a thread may have many under way.
#include "warp.cuh"

// 16 bytes, on both sides at a multiple of 16.
__device__ __forceinline__ void async_copy_16(void* shared, const void* global) {
#ifdef SIMULATED
  memcpy(shared, global, 16);
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((u32)__cvta_generic_to_shared(shared)), "l"(global) : "memory");
#endif
}

// Wait for this thread's copies.
__device__ __forceinline__ void wait_for_copies() {
#ifndef SIMULATED
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
