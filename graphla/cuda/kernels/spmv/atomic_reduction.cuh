// Atomic operations that nobody waits for, by the names of those that return the old value: REDUCTION(atomicAdd).
#ifdef SIMULATED
#define REDUCTION(function) function
#else
#define REDUCTION_OF(function) function##_unseen
#define REDUCTION(function) REDUCTION_OF(function)
#define DEFINE(function, name, Z, letter) \
  __device__ __forceinline__ void function##_unseen(Z* p, Z z) { asm volatile("red.relaxed.gpu.global." name " [%0], %1;" ::"l"(p), letter(z) : "memory"); }
DEFINE(atomicAdd, "add.f32", f32, "f") DEFINE(atomicAdd, "add.f64", f64, "d")
DEFINE(atomicAdd, "add.s32", i32, "r") DEFINE(atomicAdd, "add.u32", u32, "r") DEFINE(atomicAdd, "add.u64", u64, "l")
DEFINE(atomicMin, "min.s32", i32, "r") DEFINE(atomicMin, "min.u32", u32, "r")
DEFINE(atomicMin, "min.s64", i64, "l") DEFINE(atomicMin, "min.u64", u64, "l")
DEFINE(atomicMax, "max.s32", i32, "r") DEFINE(atomicMax, "max.u32", u32, "r")
DEFINE(atomicMax, "max.s64", i64, "l") DEFINE(atomicMax, "max.u64", u64, "l")
#undef DEFINE
#endif
