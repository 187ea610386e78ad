// What CUDA C++ has and C++ has not, for a grid of blocks of one thread each that run at once.
#define SIMULATED 1
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <math.h>
#include <mutex>
#include <thread>
#include <vector>
#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define __launch_bounds__(...)
struct Dim3 { int x, y, z; };
static const Dim3 threadIdx = {0, 0, 0}, blockDim = {1, 1, 1};
static thread_local Dim3 blockIdx;
static Dim3 gridDim;
namespace blocks {
static std::mutex mutex;
static std::condition_variable all_here;
static int here, round;
static void wait() {
  std::unique_lock<std::mutex> lock(mutex);
  int now = round;
  if (++here == gridDim.x) here = 0, round++, all_here.notify_all();
  else all_here.wait(lock, [&] { return round != now; });
}
}  // namespace blocks
extern "C" void blocks_launch(void* kernel, unsigned long long* a, int grid) {
  typedef unsigned long long A;
  gridDim.x = grid, blocks::here = 0;
  std::vector<std::thread> threads;
  for (int b = 0; b < grid; b++)
    threads.emplace_back([=] {
      blockIdx.x = b;
      ((void (*)(A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A))kernel)(
          a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16],
          a[17], a[18], a[19], a[20], a[21], a[22], a[23]);
    });
  for (auto& t : threads) t.join();
}
inline void __syncthreads() {}
inline void __syncwarp(unsigned = ~0u) {}
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
template <class T> inline T __ldcg(const T* p) { return *(const volatile T*)p; }
template <class T, class F> inline T change(T* p, F f) {  // between the two, let the others run now and then
  static thread_local unsigned turn = 0;
  T old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
  if (++turn % 64 == 0) std::this_thread::yield();
  while (!__atomic_compare_exchange_n(p, &old, f(old), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
  return old;
}
template <class T, class U> inline T atomicAdd(T* p, U v) { return change(p, [=](T x) { return x + (T)v; }); }
template <class T, class U> inline T atomicOr(T* p, U v) { return change(p, [=](T x) { return x | (T)v; }); }
template <class T, class U> inline T atomicAnd(T* p, U v) { return change(p, [=](T x) { return x & (T)v; }); }
template <class T, class U> inline T atomicMin(T* p, U v) { return change(p, [=](T x) { return (T)v < x ? (T)v : x; }); }
template <class T, class U> inline T atomicMax(T* p, U v) { return change(p, [=](T x) { return x < (T)v ? (T)v : x; }); }
template <class T> inline T min(T a, T b) { return b < a ? b : a; }
template <class T> inline T max(T a, T b) { return a < b ? b : a; }
