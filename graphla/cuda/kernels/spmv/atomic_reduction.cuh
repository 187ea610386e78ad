// REDUCTION(atomicAdd)(address, z): an atomic operation whose old value is not returned (PTX `red`), so that the thread
// does not wait for it.
#ifdef SIMULATED
#define REDUCTION(function) function
#else
#define REDUCTION_OF(function) function##_without_result
#define REDUCTION(function) REDUCTION_OF(function)
#define DEFINE(function, instruction, Z, constraint) \
  __device__ __forceinline__ void function##_without_result(Z* address, Z z) {                                        \
    asm volatile("red.relaxed.gpu.global." instruction " [%0], %1;" ::"l"(address), constraint(z) : "memory");        \
  }
DEFINE(atomicAdd, "add.f32", f32, "f") DEFINE(atomicAdd, "add.f64", f64, "d")
DEFINE(atomicAdd, "add.s32", i32, "r") DEFINE(atomicAdd, "add.u32", u32, "r") DEFINE(atomicAdd, "add.u64", u64, "l")
DEFINE(atomicMin, "min.s32", i32, "r") DEFINE(atomicMin, "min.u32", u32, "r")
DEFINE(atomicMin, "min.s64", i64, "l") DEFINE(atomicMin, "min.u64", u64, "l")
DEFINE(atomicMax, "max.s32", i32, "r") DEFINE(atomicMax, "max.u32", u32, "r")
DEFINE(atomicMax, "max.s64", i64, "l") DEFINE(atomicMax, "max.u64", u64, "l")
#undef DEFINE
#endif
