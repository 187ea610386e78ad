// Scalar functions of the operators, each with SuiteSparse:GraphBLAS's result for every value. The operator tables
// (operators/tables.py) and translated Python functions (operators/python_functions.py) call them by name.

// ring(x): an integer as unsigned of at least 32 bits, in which arithmetic wraps without undefined behaviour; a float
// unchanged.
template <class T> struct Ring { typedef u32 type; };
template <> struct Ring<i64> { typedef u64 type; };
template <> struct Ring<u64> { typedef u64 type; };
template <> struct Ring<f32> { typedef f32 type; };
template <> struct Ring<f64> { typedef f64 type; };
template <class T> __device__ __forceinline__ typename Ring<T>::type ring(T x) { return x; }

template <class T> struct IsFloat { static const bool yes = false; };
template <> struct IsFloat<f32> { static const bool yes = true; };
template <> struct IsFloat<f64> { static const bool yes = true; };

template <class T> __device__ __forceinline__ T infinity() {
  T big = sizeof(T) == 4 ? (T)3e38 : (T)1e308;
  return big * big;
}
template <class T> __device__ __forceinline__ T not_a_number() { return infinity<T>() - infinity<T>(); }

template <class T> __device__ __forceinline__ T absolute(T x) {
  if constexpr (IsFloat<T>::yes) return fabs(x);
  else return x < 0 ? -ring(x) : ring(x);
}
template <class T> __device__ __forceinline__ T sign(T x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// Minimum and maximum. If one float operand is NaN, the result is the other operand.
template <class T> __device__ __forceinline__ T smaller(T x, T y) {
  if constexpr (IsFloat<T>::yes) return fmin(x, y);
  else return x < y ? x : y;
}
template <class T> __device__ __forceinline__ T larger(T x, T y) {
  if constexpr (IsFloat<T>::yes) return fmax(x, y);
  else return x > y ? x : y;
}

// Integer division truncates; x / 0 is the greatest integer for x > 0, the least one for x < 0, and 0 for x = 0.
template <class T> __device__ __forceinline__ T divide(T x, T y) {
  if constexpr (IsFloat<T>::yes) return x / y;
  else if (y == 0) return x == 0 ? (T)0 : x < 0 ? Range<T>::low : Range<T>::high;
  else if ((T)-1 < 0 && y == (T)-1) return -ring(x);
  else return x / y;
}
template <> __device__ __forceinline__ bool divide(bool x, bool) { return x; }

// A rounded float product, which the compiler cannot contract with an addition to a fused multiply-add.
#ifdef SIMULATED
template <class T> __device__ __forceinline__ T rounded_product(T x, T y) { return x * y; }
#else
__device__ __forceinline__ f32 rounded_product(f32 x, f32 y) { return __fmul_rn(x, y); }
__device__ __forceinline__ f64 rounded_product(f64 x, f64 y) { return __dmul_rn(x, y); }
#endif

// The double nearest to x^y for an integral y >= 0, by repeated squaring in double-double arithmetic. `times` multiplies
// high + low by other + rest.
__device__ __forceinline__ void times(f64& high, f64& low, f64 other, f64 rest) {
  f64 z = rounded_product(high, other), error = fma(high, other, -z) + (high * rest + low * other);
  bool infinite = z - z != 0;
  high = infinite ? z : z + error;
  low = infinite ? 0 : error - (high - z);
}
__device__ __forceinline__ f64 whole_power(f64 x, f64 y) {
  f64 high = 1, low = 0, square = x, rest = 0;
  for (u64 k = fmin(y, 9007199254740992.0); k; k >>= 1) {  // doubles from 2^53 on are even
    if (k & 1) times(high, low, square, rest);
    if (high - high != 0) return high;  // overflow
    times(square, rest, square, rest);
  }
  return high;
}

// x^y for finite x != 0 and finite y, exact if the result is representable (CUDA's pow is not). If x^y is representable
// and y is a multiple of 2^-k, then x is r^(2^k) for a representable r, and r is a power of two if y < 0. For |y| > 1100
// the result is 0 or infinite unless x is 1 or -1.
__device__ __forceinline__ f64 exact_power(f64 x, f64 y) {
  if (x == 1) return 1;
  if (!(fabs(y) <= 1100 || x == -1)) return pow(x, y);
  f64 root = x, k = y;
  while (k != trunc(k)) {
    f64 next = sqrt(root);
    if (!(fma(next, next, -root) == 0)) return pow(x, y);
    root = next;
    k *= 2;
  }
  if (k >= 0) return whole_power(root, k);
  int exponent;
  return fabs(frexp(root, &exponent)) == 0.5 ? whole_power(1 / root, -k) : pow(x, y);
}

// x^y is NaN if x or y is NaN, even if y is 0. Types other than f64 are computed in double precision.
template <class T> __device__ __forceinline__ T power(T x, T y) {
  if constexpr (IsFloat<T>::yes) {
    if (x != x || y != y) return not_a_number<T>();
    if (y == 0) return 1;
    if (sizeof(T) == 4 || x == 0 || x - x != 0 || y - y != 0) return pow((f64)x, (f64)y);
    return exact_power(x, y);
  } else return y < 0 ? cast<T>(power((f64)x, (f64)y)) : cast<T>(whole_power((f64)x, (f64)y));
}
template <> __device__ __forceinline__ bool power(bool x, bool y) { return x || !y; }

// CUDA's math functions may be wrong by some units in the last place. These are exact if the result is an integer, as
// those of the C library are: for powers of two and ten, cubes, Pythagorean triples and factorials. The comments give the
// Newton step that corrects the rounded result.
template <class T> __device__ __forceinline__ T power_of_two(T x) {
  return x == trunc(x) && fabs(x) < 2000 ? ldexp((T)1, (int)x) : exp2(x);
}
template <class T> __device__ __forceinline__ T logarithm_of_base_two(T x) {
  int exponent = 0;
  return x > 0 && x - x == 0 && frexp(x, &exponent) == (T)0.5 ? (T)(exponent - 1) : log2(x);
}
template <class T> __device__ __forceinline__ T logarithm_of_base_ten(T x) {
  f64 y = log10((f64)x), whole = rint(y);
  return whole >= 0 && whole <= 22 && whole_power(10, whole) == x ? (T)whole : (T)y;
}
template <class T> __device__ __forceinline__ T cube_root(T x) {
  f64 r = cbrt((f64)x);
  if (sizeof(T) == 4 || x == 0 || x - x != 0) return r;
  f64 square = rounded_product(r, r), rest = fma(r, r, -square);  // r - (r^3 - x) / 3 r^2
  return r - (fma(square, r, -(f64)x) + rest * r) / (3 * square);
}
template <class T> __device__ __forceinline__ T hypotenuse(T x, T y) {
  if (x - x != 0 || y - y != 0) return hypot(x, y);  // infinite if one is infinite, even if the other is NaN
  if constexpr (sizeof(T) == 4) return sqrt((f64)x * x + (f64)y * y);
  else {
    f64 r = hypot(x, y);
    if (!(r > 1e-140 && r < 1e150)) return r;
    f64 a = rounded_product(r, r), b = rounded_product(x, x), c = rounded_product(y, y);  // r - (r^2 - x^2 - y^2) / 2 r, the larger square first
    f64 low = fma(r, r, -a) - fma(x, x, -b) - fma(y, y, -c);
    return r - (((b > c ? a - b : a - c) - (b > c ? c : b)) + low) / (2 * r);
  }
}
template <class T> __device__ __forceinline__ T gamma_function(T x) {
  if (!(x >= 1 && x <= 23 && x == trunc(x))) return tgamma(x);
  f64 z = 1;
  for (int k = 2; k < (int)x; ++k) z *= k;
  return z;
}

// A word with bit k set, counted from 1; 0 if the type has no such bit.
template <class T> __device__ __forceinline__ T bit(T k) {
  return k >= 1 && k <= (T)(8 * sizeof(T)) ? (T)((u64)1 << (k - 1)) : (T)0;
}
// x shifted left by k, or right by -k (arithmetic shift: the sign bit is copied).
template <class T> __device__ __forceinline__ T shift(T x, i8 k) {
  int bits = 8 * sizeof(T);
  if (k >= bits) return 0;
  if (k <= -bits) return x < 0 ? -1 : 0;
  return k >= 0 ? (T)(ring(x) << k) : (T)(x >> -k);
}

// x * 2^y with y truncated to an int; a y out of range becomes the least int.
template <class T> __device__ __forceinline__ T scale(T x, T y) {
  T k = trunc(y);
  return ldexp(x, k >= (T)-2147483648.0 && k < (T)2147483648.0 ? (int)k : Range<i32>::low);
}
template <class T> __device__ __forceinline__ T mantissa(T x) {
  int exponent;
  return frexp(x, &exponent);
}
template <class T> __device__ __forceinline__ T exponent(T x) {
  int exponent = 0;
  if (x - x == 0) frexp(x, &exponent);
  return exponent;
}

// Python's % and //: the quotient is rounded down, the remainder has the sign of y. For integers, division by zero
// gives 0, as does the least integer // -1.
template <class T> __device__ __forceinline__ T modulo(T x, T y) {
  if constexpr (IsFloat<T>::yes) {
    T r = fmod(x, y);
    return r == 0 ? copysign((T)0, y) : (r < 0) != (y < 0) ? r + y : r;
  } else {
    if (y == 0 || ((T)-1 < 0 && y == (T)-1)) return 0;
    T r = x % y;
    return r != 0 && (r < 0) != (y < 0) ? r + y : r;
  }
}
template <class T> __device__ __forceinline__ T floor_divide(T x, T y) {
  if constexpr (IsFloat<T>::yes) {
    if (y == 0) return x / y;
    T r = fmod(x, y), q = (x - r) / y;
    if (r != 0 && (r < 0) != (y < 0)) q -= 1;
    if (q == 0) return copysign((T)0, x / y);
    T z = floor(q);
    return q - z > (T)0.5 ? z + 1 : z;
  } else {
    if (y == 0) return 0;
    if ((T)-1 < 0 && y == (T)-1) return x == Range<T>::low ? (T)0 : (T)-x;
    return x % y != 0 && (x < 0) != (y < 0) ? x / y - 1 : x / y;
  }
}

// Python's min and max: the first operand if neither is less, e.g. if one is NaN.
template <class T> __device__ __forceinline__ T python_min(T x, T y) { return y < x ? y : x; }
template <class T> __device__ __forceinline__ T python_max(T x, T y) { return y > x ? y : x; }

// n choose k; 0 if it is undefined or overflows.
__device__ __forceinline__ i64 binomial(i64 n, i64 k) {
  if (k > n || k < 0) return 0;
  i64 z = 1, last = k < n - k ? k : n - k;
  for (i64 i = 0; i < last; ++i) {
    if (z > Range<i64>::high / (n - i)) return 0;
    z = z * (n - i) / (i + 1);
  }
  return z;
}
