// What CUDA C++ has and C++ has not, for a grid whose threads take turns: each is a coroutine
// that runs until it waits for its warp or its block.
#define SIMULATED 1
#include <ucontext.h>
#include <vector>
struct Dim3 { int x, y, z; };
static Dim3 threadIdx, blockIdx, blockDim, gridDim;
namespace lanes {
struct Barrier { int here = 0, round = 0; };
struct Thread { ucontext_t context; std::vector<char> stack; bool over; };
static std::vector<Thread> all;
static ucontext_t scheduler;
static std::vector<Barrier> warps;
static Barrier block;
static unsigned long long slots[1024];
static int now;
static void turn() { swapcontext(&all[now].context, &scheduler); }
static void wait(Barrier& b, int size) {
  int round = b.round;
  if (++b.here == size) b.here = 0, b.round++;
  while (b.round == round) turn();
}
static void warp() { wait(warps[now / 32], 32); }
static void (*body)(unsigned long long*);
static unsigned long long* arguments;
static void start() {
  typedef unsigned long long A;
  A* a = arguments;
  ((void (*)(A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A))body)(
      a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16],
      a[17], a[18], a[19], a[20], a[21], a[22], a[23]);
  all[now].over = true;
  turn();
}
static unsigned ballot(bool p) {
  slots[now] = p;
  warp();
  unsigned bits = 0;
  for (int l = 0; l < 32; l++) bits |= (unsigned)slots[now / 32 * 32 + l] << l;
  warp();
  return bits;
}
template <class T> T from_lane(T x, int lane) {
  __builtin_memcpy(&slots[now], &x, sizeof(T));
  warp();
  T y;
  __builtin_memcpy(&y, &slots[now / 32 * 32 + (lane & 31)], sizeof(T));
  warp();
  return y;
}
}  // namespace lanes
// Returns whether the threads could all end; they cannot where some wait for others that are over.
extern "C" int lanes_launch(void* kernel, unsigned long long* a, int grid, int block) {
  using namespace lanes;
  body = (void (*)(unsigned long long*))kernel, arguments = a;
  gridDim.x = grid, blockDim.x = block;
  for (int b = 0; b < grid; b++) {
    blockIdx.x = b;
    all = std::vector<Thread>(block);
    warps = std::vector<Barrier>(block / 32);
    lanes::block = Barrier();
    for (auto& t : all) {
      t.stack.resize(1 << 16), t.over = false;
      getcontext(&t.context);
      t.context.uc_stack.ss_sp = t.stack.data(), t.context.uc_stack.ss_size = t.stack.size();
      makecontext(&t.context, start, 0);
    }
    int left = block;
    for (unsigned round = 0; left; round++) {  // in one part of the rounds a warp stands still
      if (round > 300000) return 0;
      int still = round / 16 % (block / 32 + 1);
      left = 0;
      for (now = 0; now < block; now++) {
        threadIdx.x = now;
        if (!all[now].over && now / 32 != still) swapcontext(&scheduler, &all[now].context);
        left += !all[now].over;
      }
    }
  }
  return 1;
}
#define __global__
#define __device__
#define __shared__ static
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define __launch_bounds__(...)
inline void __syncthreads() { lanes::wait(lanes::block, blockDim.x); }
inline void __syncwarp(unsigned = ~0u) { lanes::warp(); }
