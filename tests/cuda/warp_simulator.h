// CUDA C++ for a C++ compiler: a grid of several blocks whose threads are coroutines.
//
// A coroutine runs until it waits for its warp or its block; then the scheduler (run_block) resumes the next one, in
// ascending or descending order, so that a missing barrier is noticed whichever thread reads what another has written.
// The blocks of a cooperative launch run in host threads, each with its own shared memory (thread_local): concurrently,
// or one at a time from barrier to barrier of the grid, in alternating order. The blocks of other launches run one after
// the other. A warp primitive (ballot, from_lane) writes the lane's value
// to `slots`, waits for the warp, reads, and waits again before the slots are reused.
#define SIMULATED 1
#include <ucontext.h>
#include <setjmp.h>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
#define SEEN __attribute__((visibility("default")))
#pragma GCC visibility push(hidden)  // otherwise libraries share the static variables of equally named functions
struct Dim3 { int x, y, z; };
static thread_local Dim3 threadIdx, blockIdx, blockDim, gridDim;
namespace lanes {
enum { STACK = 1 << 16 };
struct Barrier { int here = 0, round = 0; };
struct Thread { ucontext_t start; jmp_buf position; std::unique_ptr<char[]> stack; bool started, finished; };
static thread_local std::vector<Thread> all;
static thread_local jmp_buf scheduler;
static thread_local std::vector<Barrier> warps;
static thread_local Barrier block;
static thread_local unsigned long long slots[1024];
static thread_local int now;  // the running thread of the block
// Switch by setjmp and longjmp: swapcontext makes a system call for the signal mask each time.
static void turn() {
  if (!_setjmp(all[now].position)) _longjmp(scheduler, 1);
}
static void resume() {
  if (_setjmp(scheduler)) return;
  if (all[now].started) _longjmp(all[now].position, 1);
  all[now].started = true;
  setcontext(&all[now].start);
}
static void wait(Barrier& b, int size) {
  int round = b.round;
  if (++b.here == size) b.here = 0, b.round++;
  while (b.round == round) turn();
}
static void warp() { wait(warps[now / 32], 32); }
static thread_local void (*body)(unsigned long long*);
static thread_local unsigned long long* arguments;
enum { WORDS = 64 };  // integer and pointer arguments; two doubles follow, passed in floating-point registers
template <size_t... K> static void call(std::index_sequence<K...>) {
  const double* d = (const double*)(arguments + WORDS);
  ((void (*)(decltype(K, 0ull)..., double, double))body)(arguments[K]..., d[0], d[1]);
}
static void start() {
  call(std::make_index_sequence<WORDS>());
  all[now].finished = true;
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
// Run one block; returns false if it does not terminate, as when threads wait for others that have finished.
static bool run_block(void* kernel, unsigned long long* a, int grid, int b, int size) {
  using namespace lanes;
  body = (void (*)(unsigned long long*))kernel, arguments = a;
  gridDim.x = grid, blockDim.x = size, blockIdx.x = b;
  all = std::vector<Thread>(size);
  warps = std::vector<Barrier>(size / 32);
  lanes::block = Barrier();
  for (auto& t : all) {
    t.stack.reset(new char[STACK]), t.started = t.finished = false;
    getcontext(&t.start);
    t.start.uc_stack.ss_sp = t.stack.get(), t.start.uc_stack.ss_size = STACK;
    makecontext(&t.start, start, 0);
  }
  int unfinished = size;
  // Every 16 rounds another warp (or none) is paused, so that warps get ahead of each other. The order alternates, and
  // neighbouring blocks have opposite ones.
  for (unsigned round = 0; unfinished; round++) {
    if (round > 300000) return false;
    int paused = round / 16 % (size / 32 + 1);
    unfinished = 0;
    for (int k = 0; k < size; k++) {
      now = threadIdx.x = (round + b) % 2 ? size - 1 - k : k;
      if (!all[now].finished && now / 32 != paused) resume();
      unfinished += !all[now].finished;
    }
  }
  return true;
}
extern "C" SEEN int lanes_launch(void* kernel, unsigned long long* a, int grid, int size) {
  for (int b = 0; b < grid; b++)
    if (!run_block(kernel, a, grid, b, size)) return 0;
  return 1;
}
static std::mutex together;
static std::condition_variable all_here;
static int blocks_here, blocks_round;  // of a grid: blocks at its next barrier, and barriers passed
static bool in_turn;                   // whether one block runs at a time
static int turns;                      // blocks that have had their turn since the last barrier
static int blocks_ended;
static bool is_stuck;  // blocks wait for others that have ended
static bool has_turn(int grid, int b) { return !in_turn || b == (blocks_round % 2 ? grid - 1 - turns : turns); }
static void wait_for_all_blocks() {
  std::unique_lock<std::mutex> lock(together);
  int round = blocks_round, grid = gridDim.x, b = blockIdx.x;
  turns++;
  if (++blocks_here == grid) blocks_here = turns = 0, blocks_round++;
  is_stuck |= blocks_ended && blocks_here + blocks_ended == grid;
  if (in_turn || is_stuck || blocks_round != round) all_here.notify_all();
  all_here.wait(lock, [=] { return is_stuck || (blocks_round != round && has_turn(grid, b)); });
}
static bool run_together(void* kernel, unsigned long long* a, int grid, int b, int size) {
  {
    std::unique_lock<std::mutex> lock(together);
    all_here.wait(lock, [=] { return has_turn(grid, b); });
  }
  bool ended = run_block(kernel, a, grid, b, size);
  std::unique_lock<std::mutex> lock(together);
  turns++;
  blocks_ended++;
  is_stuck |= blocks_here && blocks_here + blocks_ended == grid;
  all_here.notify_all();
  return ended && !is_stuck;
}
extern "C" SEEN int lanes_launch_together(void* kernel, unsigned long long* a, int grid, int size, int one_at_a_time) {
  std::vector<std::thread> blocks;
  std::atomic<int> ended{0};
  blocks_here = blocks_round = blocks_ended = turns = 0, is_stuck = false, in_turn = one_at_a_time;
  for (int b = 0; b < grid; b++) blocks.emplace_back([&, b] { ended += run_together(kernel, a, grid, b, size); });
  for (auto& block : blocks) block.join();
  return ended == grid;
}
#define __global__ SEEN
#define __device__
#define __shared__ static thread_local
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define __launch_bounds__(...)
inline void __syncthreads() { lanes::wait(lanes::block, blockDim.x); }
inline void __syncwarp(unsigned = ~0u) { lanes::warp(); }
template <class T, class U> inline T atomicCAS(T* p, U expected, U v) {
  T old = expected;
  __atomic_compare_exchange_n(p, &old, (T)v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return old;
}
template <class T, class Change> inline T change(T* p, Change f) {
  T old, made;
  __atomic_load(p, &old, __ATOMIC_SEQ_CST);
  do made = f(old);
  while (!__atomic_compare_exchange(p, &old, &made, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return old;
}
template <class T, class U> inline T atomicAdd(T* p, U v) { return change(p, [=](T x) { return (T)(x + (T)v); }); }
template <class T, class U> inline T atomicMax(T* p, U v) { return change(p, [=](T x) { return x < (T)v ? (T)v : x; }); }
template <class T, class U> inline T atomicOr(T* p, U v) { return __atomic_fetch_or(p, (T)v, __ATOMIC_SEQ_CST); }
template <class T, class U> inline T atomicExch(T* p, U v) { return __atomic_exchange_n(p, (T)v, __ATOMIC_SEQ_CST); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __threadfence(); }
template <class T, class U> inline T atomicMin(T* p, U v) { return change(p, [=](T x) { return (T)v < x ? (T)v : x; }); }
