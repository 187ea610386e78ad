// CUDA C++ for a C++ compiler: a grid of one thread, in which atomics and barriers are plain code.
#define SIMULATED 1
#include <cmath>
#include <math.h>
#include <cstring>
#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __forceinline__ inline
#define __restrict__
#define __launch_bounds__(...)
#define __noinline__
struct Dim3 { int x, y, z; };
static const Dim3 threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0}, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
inline void __syncthreads() {}
inline void __syncwarp(unsigned = ~0u) {}
inline void __threadfence() {}
inline void __threadfence_system() {}
inline void wait_for_all_blocks() {}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
template <class T> inline T __ldg(const T* p) { return *p; }
template <class T> inline T __ldcg(const T* p) { return *p; }
template <class T> inline T __ldca(const T* p) { return *p; }
template <class T> inline T __ldcs(const T* p) { return *p; }
template <class T> inline void __stcs(T* p, T x) { *p = x; }
template <class T, class U> inline T atomicAdd(T* p, U v) { T old = *p; *p = old + (T)v; return old; }
template <class T, class U> inline T atomicOr(T* p, U v) { T old = *p; *p = old | (T)v; return old; }
template <class T, class U> inline T atomicAnd(T* p, U v) { T old = *p; *p = old & (T)v; return old; }
template <class T, class U> inline T atomicExch(T* p, U v) { T old = *p; *p = (T)v; return old; }
template <class T, class U> inline T atomicMin(T* p, U v) { T old = *p; if ((T)v < old) *p = (T)v; return old; }
template <class T, class U> inline T atomicMax(T* p, U v) { T old = *p; if ((T)v > old) *p = (T)v; return old; }
template <class T, class U> inline T atomicCAS(T* p, U c, U v) { T old = *p; if (old == (T)c) *p = (T)v; return old; }
template <class T> inline T __shfl_sync(unsigned, T x, int) { return x; }
template <class T> inline T min(T a, T b) { return b < a ? b : a; }
template <class T> inline T max(T a, T b) { return a < b ? b : a; }
