// Where a thread stands. Every loop strides over the grid, so any grid computes the same.
#ifdef SIMULATED
enum { WARP = 1 };
__device__ __forceinline__ u32 ballot(bool p) { return p; }
__device__ __forceinline__ i64 append(u64* count) { return (*count)++; }
template <class T> __device__ __forceinline__ T from_lane(T x, int) { return x; }
#define SHARED_ARRAY(T, name) __shared__ T name[1 << 18]
#else
enum { WARP = 32 };
// Which of the 32 lanes, all of which take part, say yes.
__device__ __forceinline__ u32 ballot(bool p) { return __ballot_sync(~0u, p); }
// A place in a list for each lane that calls it: one atomic for all of a warp that do.
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
__device__ __forceinline__ i64 inclusive_scan(i64 x) {
  for (int d = 1; d < WARP; d *= 2) {
    i64 before = from_lane(x, lane() - d);
    if (lane() >= d) x += before;
  }
  return x;
}
__device__ __forceinline__ i64 warp() { return thread() / WARP; }
__device__ __forceinline__ i64 warps() { return threads() / WARP; }
// The place of this thread in its block when neighbours are in different warps: few items keep all warps busy.
__device__ __forceinline__ int dealt() { return lane() * (blockDim.x / WARP) + threadIdx.x / WARP; }
__device__ __forceinline__ i64 whole_warps(i64 n) { return (n + WARP - 1) / WARP * WARP; }
