// GraphBLAS's real types, their ranges, and casts between them with the results of SuiteSparse:GraphBLAS.
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

template <class Z> struct Range;  // least and greatest integer
template <> struct Range<bool> { static const bool low = false, high = true; };
template <> struct Range<i8> { static const i8 low = -128, high = 127; };
template <> struct Range<i16> { static const i16 low = -32768, high = 32767; };
template <> struct Range<i32> { static const i32 low = -2147483647 - 1, high = 2147483647; };
template <> struct Range<i64> { static const i64 low = -9223372036854775807LL - 1, high = 9223372036854775807LL; };
template <> struct Range<u8> { static const u8 low = 0, high = 255; };
template <> struct Range<u16> { static const u16 low = 0, high = 65535; };
template <> struct Range<u32> { static const u32 low = 0, high = 4294967295u; };
template <> struct Range<u64> { static const u64 low = 0, high = 18446744073709551615ULL; };

// Casts: an integer wraps; a float becomes an integer by truncation, clamped to the range; NaN becomes 0.
template <class Z, class X> struct Cast {
  static __device__ __forceinline__ Z of(X x) { return (Z)x; }
};
template <class X> struct Cast<bool, X> {
  static __device__ __forceinline__ bool of(X x) { return x != 0; }
};
template <class Z, class X> __device__ __forceinline__ Z saturate(X x) {
  if (x != x) return 0;
  if (x <= (X)Range<Z>::low) return Range<Z>::low;
  if (x >= (X)Range<Z>::high) return Range<Z>::high;
  return (Z)x;
}
#define FROM_FLOAT(Z) \
  template <> struct Cast<Z, f32> { static __device__ __forceinline__ Z of(f32 x) { return saturate<Z>(x); } }; \
  template <> struct Cast<Z, f64> { static __device__ __forceinline__ Z of(f64 x) { return saturate<Z>(x); } };
FROM_FLOAT(i8) FROM_FLOAT(i16) FROM_FLOAT(i32) FROM_FLOAT(i64)
FROM_FLOAT(u8) FROM_FLOAT(u16) FROM_FLOAT(u32) FROM_FLOAT(u64)
#undef FROM_FLOAT

template <class Z, class X> __device__ __forceinline__ Z cast(X x) { return Cast<Z, X>::of(x); }

// Whether i is an index: -1 stands for a missing one (the largest number if the type is unsigned).
template <class Index> __device__ __forceinline__ bool is_index(Index i) {
  if constexpr ((Index)-1 < (Index)0) return i >= 0;
  else return i != (Index)-1;
}

// Load with the streaming cache policy: for data that is read once, so that it does not evict data that is reused.
#ifdef SIMULATED
template <class T> __device__ __forceinline__ T load_streaming(const T* x) { return *x; }
#else
template <class T> __device__ __forceinline__ T load_streaming(const T* x) { return __ldcs(x); }
__device__ __forceinline__ bool load_streaming(const bool* x) { return __ldcs((const u8*)x); }
#endif
