// T at one position from the entries x, y of the operands there (hx, hy: whether they exist),
// the scalar s and the position (i, j). Op::of takes what its own types are; casts are made here.
struct Same {  // x itself
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool hx, X x, bool hy, Y y, S s, i64 i, i64 j, X& t) {
    t = x;
    return hx;
  }
};
template <class Op> struct Apply {
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool hx, X x, bool hy, Y y, S s, i64 i, i64 j, typename Op::Z& t) {
    t = Op::of(cast<typename Op::X>(x), i, j);
    return hx;
  }
};
template <class Op> struct BindSecond {  // op(x, s); an index operator too
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool hx, X x, bool hy, Y y, S s, i64 i, i64 j, typename Op::Z& t) {
    t = Op::of(cast<typename Op::X>(x), cast<typename Op::Y>(s), i, j, i, j);
    return hx;
  }
};
template <class Op> struct BindFirst {  // op(s, x)
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool hx, X x, bool hy, Y y, S s, i64 i, i64 j, typename Op::Z& t) {
    t = Op::of(cast<typename Op::X>(s), cast<typename Op::Y>(x), i, j, i, j);
    return hx;
  }
};
template <class Op> struct Select {  // x where op(x, s) holds
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool hx, X x, bool hy, Y y, S s, i64 i, i64 j, X& t) {
    t = x;
    return hx && cast<bool>(Op::of(cast<typename Op::X>(x), cast<typename Op::Y>(s), i, j, i, j));
  }
};
template <class Op> struct Both {  // eWiseMult
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool hx, X x, bool hy, Y y, S s, i64 i, i64 j, typename Op::Z& t) {
    bool both = hx && hy;
    if (both) t = Op::of(cast<typename Op::X>(x), cast<typename Op::Y>(y), i, j, i, j);
    return both;
  }
};
template <class Op, class Z> struct Either {  // eWiseAdd: where only one exists, that one
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool hx, X x, bool hy, Y y, S s, i64 i, i64 j, Z& t) {
    if (hx && hy) t = cast<Z>(Op::of(cast<typename Op::X>(x), cast<typename Op::Y>(y), i, j, i, j));
    else t = hx ? cast<Z>(x) : cast<Z>(y);
    return hx || hy;
  }
};
template <class Combine> struct Swapped {  // the operands in the other order
  template <class X, class Y, class S, class Z> static __device__ __forceinline__ bool at(bool hx, X x, bool hy, Y y, S s, i64 i, i64 j, Z& t) {
    return Combine::at(hy, y, hx, x, s, i, j, t);
  }
};
struct Value {  // the scalar, everywhere
  template <class X, class Y, class S, class Z> static __device__ __forceinline__ bool at(bool hx, X x, bool hy, Y y, S s, i64 i, i64 j, Z& t) {
    t = s;
    return true;
  }
};
