// Scalar functions of the operators, with SuiteSparse's result on every value.

// The unsigned ring in which integers wrap; a float stays what it is.
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

// A float operand that is NaN gives way to the other.
template <class T> __device__ __forceinline__ T smaller(T x, T y) {
  if constexpr (IsFloat<T>::yes) return fmin(x, y);
  else return x < y ? x : y;
}
template <class T> __device__ __forceinline__ T larger(T x, T y) {
  if constexpr (IsFloat<T>::yes) return fmax(x, y);
  else return x > y ? x : y;
}

// Integers: cut towards zero; x / 0 is the extreme on x's side of zero, and 0 / 0 is 0.
template <class T> __device__ __forceinline__ T divide(T x, T y) {
  if constexpr (IsFloat<T>::yes) return x / y;
  else if (y == 0) return x == 0 ? (T)0 : x < 0 ? Range<T>::low : Range<T>::high;
  else if ((T)-1 < 0 && y == (T)-1) return -ring(x);
  else return x / y;
}
template <> __device__ __forceinline__ bool divide(bool x, bool) { return x; }

// A float product that is not contracted with a sum to a fused one.
#ifdef SIMULATED
template <class T> __device__ __forceinline__ T product(T x, T y) { return x * y; }
#else
__device__ __forceinline__ f32 product(f32 x, f32 y) { return __fmul_rn(x, y); }
__device__ __forceinline__ f64 product(f64 x, f64 y) { return __dmul_rn(x, y); }
#endif

// x^y for whole numbers, the double nearest to it: by squaring, each factor the sum of two doubles.
__device__ __forceinline__ void times(f64& high, f64& low, f64 other, f64 rest) {
  f64 z = product(high, other), error = fma(high, other, -z) + (high * rest + low * other);
  bool infinite = z - z != 0;
  high = infinite ? z : z + error;
  low = infinite ? 0 : error - (high - z);
}
__device__ __forceinline__ f64 whole_power(f64 x, f64 y) {
  f64 high = 1, low = 0, square = x, rest = 0;
  for (u64 k = fmin(y, 9007199254740992.0); k; k >>= 1) {  // from 2^53 on all are even
    if (k & 1) times(high, low, square, rest);
    if (high - high != 0) return high;  // infinite
    times(square, rest, square, rest);
  }
  return high;
}

// x^y for finite x != 0 and finite y, exact where the result is a double: CUDA's pow is not. Such an x is
// r^(2^k) where y is a multiple of 2^-k, and a power of two where y < 0. A power of 1 or -1 takes any y; of
// another x it is not finite, or zero, where |y| > 1100.
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

// x^y is NaN where either is, even where y is 0; all but f64 go through double precision.
template <class T> __device__ __forceinline__ T power(T x, T y) {
  if constexpr (IsFloat<T>::yes) {
    if (x != x || y != y) return not_a_number<T>();
    if (y == 0) return 1;
    if (sizeof(T) == 4 || x == 0 || x - x != 0 || y - y != 0) return pow((f64)x, (f64)y);
    return exact_power(x, y);
  } else return y < 0 ? cast<T>(power((f64)x, (f64)y)) : cast<T>(whole_power((f64)x, (f64)y));
}
template <> __device__ __forceinline__ bool power(bool x, bool y) { return x || !y; }

// CUDA's functions may be off by some units in the last place. These are exact where the result is whole,
// as the C library's are: of powers of two and ten, of cubes, of Pythagorean triples, factorials.
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
  f64 square = product(r, r), rest = fma(r, r, -square);  // r - (r^3 - x) / 3 r^2
  return r - (fma(square, r, -(f64)x) + rest * r) / (3 * square);
}
template <class T> __device__ __forceinline__ T hypotenuse(T x, T y) {
  if (x - x != 0 || y - y != 0) return hypot(x, y);  // infinite, even beside NaN
  if constexpr (sizeof(T) == 4) return sqrt((f64)x * x + (f64)y * y);
  else {
    f64 r = hypot(x, y);
    if (!(r > 1e-140 && r < 1e150)) return r;
    f64 a = product(r, r), b = product(x, x), c = product(y, y);  // r - (r^2 - x^2 - y^2) / 2 r, the larger square first
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

// Bit k, counted from 1; none where x has no such bit.
template <class T> __device__ __forceinline__ T bit(T k) {
  return k >= 1 && k <= (T)(8 * sizeof(T)) ? (T)((u64)1 << (k - 1)) : (T)0;
}
// To the left by k, or to the right (with the sign) by -k.
template <class T> __device__ __forceinline__ T shift(T x, i8 k) {
  int bits = 8 * sizeof(T);
  if (k >= bits) return 0;
  if (k <= -bits) return x < 0 ? -1 : 0;
  return k >= 0 ? (T)(ring(x) << k) : (T)(x >> -k);
}

// y cut to an int; what is outside becomes the lowest one.
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

// Python's // and %: towards minus infinity, the remainder with the sign of y; integers by zero give 0,
// and so does the lowest integer by -1.
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

// Python's, which keep the first operand where they cannot tell.
template <class T> __device__ __forceinline__ T python_min(T x, T y) { return y < x ? y : x; }
template <class T> __device__ __forceinline__ T python_max(T x, T y) { return y > x ? y : x; }

// N choose k; 0 where it is undefined or too large.
__device__ __forceinline__ i64 binomial(i64 n, i64 k) {
  if (k > n || k < 0) return 0;
  i64 z = 1, last = k < n - k ? k : n - k;
  for (i64 i = 0; i < last; ++i) {
    if (z > Range<i64>::high / (n - i)) return 0;
    z = z * (n - i) / (i + 1);
  }
  return z;
}
