// Indices of threads, warps and lanes, and collectives of a warp. Kernels loop over their work with the stride of the
// grid, so the result does not depend on the number of threads.
#ifdef SIMULATED
enum { WARP = 1 };
__device__ __forceinline__ u32 ballot(bool p) { return p; }
__device__ __forceinline__ i64 append(u64* count) { return (*count)++; }
template <class T> __device__ __forceinline__ T from_lane(T x, int) { return x; }
#define SHARED_ARRAY(T, name) __shared__ T name[1 << 18]
#else
enum { WARP = 32 };
// Bit l of the result is p of lane l. All lanes of the warp must call this, and from_lane.
__device__ __forceinline__ u32 ballot(bool p) { return __ballot_sync(~0u, p); }
// Reserve one place of a list for each calling lane, with one atomic addition for all calling lanes of the warp.
__device__ __forceinline__ i64 append(u64* count) {
  u32 lanes = __activemask(), below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  int leader = __ffs(lanes) - 1;
  u64 first = 0;
  if ((lanes & below) == 0) first = atomicAdd(count, (u64)__popc(lanes));
  return __shfl_sync(lanes, first, leader) + __popc(lanes & below);
}
#define SHARED_ARRAY(T, name) extern __shared__ __align__(16) unsigned char name##_bytes[]; T* name = (T*)name##_bytes
template <class T> __device__ __forceinline__ T from_lane(T x, int lane) { return __shfl_sync(~0u, x, lane); }
#endif

__device__ __forceinline__ i64 thread() { return (i64)blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ i64 threads() { return (i64)gridDim.x * blockDim.x; }
__device__ __forceinline__ int lane() { return threadIdx.x % WARP; }
// Inclusive prefix sum of x over the lanes of the warp.
__device__ __forceinline__ i64 inclusive_scan(i64 x) {
  for (int distance = 1; distance < WARP; distance *= 2) {
    i64 before = from_lane(x, lane() - distance);
    if (lane() >= distance) x += before;
  }
  return x;
}
__device__ __forceinline__ i64 warp() { return thread() / WARP; }
__device__ __forceinline__ i64 warps() { return threads() / WARP; }
// A number for each thread of the block such that consecutive numbers are in different warps: a few items, taken by
// number, keep all warps busy.
__device__ __forceinline__ int warp_interleaved_thread() { return lane() * (blockDim.x / WARP) + threadIdx.x / WARP; }
__device__ __forceinline__ i64 round_up_to_warps(i64 n) { return (n + WARP - 1) / WARP * WARP; }
