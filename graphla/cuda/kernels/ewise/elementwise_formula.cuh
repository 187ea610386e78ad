// The formulas of element-wise operations: T at one position, from the entries x and y of the operands there.
//
// Each struct has one function, at(has_x, x, has_y, y, scalar, i, j, t): it sets t and returns whether T has an entry at
// position (i, j). `has_x`, `has_y` say whether the operands have an entry; without one, x or y is any value. The operator
// Op declares its operand types Op::X, Op::Y and its result type Op::Z; the formulas cast to them.
// A kernel uses one of them under the name Combine (elementwise_formula.py).
struct Identity {  // x
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool has_x, X x, bool has_y, Y y, S scalar, i64 i, i64 j, X& t) {
    t = x;
    return has_x;
  }
};
template <class Op> struct Apply {  // op(x)
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool has_x, X x, bool has_y, Y y, S scalar, i64 i, i64 j, typename Op::Z& t) {
    t = Op::of(cast<typename Op::X>(x), i, j);
    return has_x;
  }
};
template <class Op> struct BindSecond {  // op(x, scalar); also for index operators
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool has_x, X x, bool has_y, Y y, S scalar, i64 i, i64 j, typename Op::Z& t) {
    t = Op::of(cast<typename Op::X>(x), cast<typename Op::Y>(scalar), i, j, i, j);
    return has_x;
  }
};
template <class Op> struct BindFirst {  // op(scalar, x)
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool has_x, X x, bool has_y, Y y, S scalar, i64 i, i64 j, typename Op::Z& t) {
    t = Op::of(cast<typename Op::X>(scalar), cast<typename Op::Y>(x), i, j, i, j);
    return has_x;
  }
};
template <class Op> struct Select {  // x if op(x, scalar)
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool has_x, X x, bool has_y, Y y, S scalar, i64 i, i64 j, X& t) {
    t = x;
    return has_x && cast<bool>(Op::of(cast<typename Op::X>(x), cast<typename Op::Y>(scalar), i, j, i, j));
  }
};
template <class Op> struct Intersection {  // eWiseMult: op(x, y) at the positions of both
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool has_x, X x, bool has_y, Y y, S scalar, i64 i, i64 j, typename Op::Z& t) {
    bool has_both = has_x && has_y;
    if (has_both) t = Op::of(cast<typename Op::X>(x), cast<typename Op::Y>(y), i, j, i, j);
    return has_both;
  }
};
template <class Op, class Z> struct Union {  // eWiseAdd: op(x, y) at the positions of both; x or y at the positions of one
  template <class X, class Y, class S> static __device__ __forceinline__ bool at(bool has_x, X x, bool has_y, Y y, S scalar, i64 i, i64 j, Z& t) {
    if (has_x && has_y) t = cast<Z>(Op::of(cast<typename Op::X>(x), cast<typename Op::Y>(y), i, j, i, j));
    else t = has_x ? cast<Z>(x) : cast<Z>(y);
    return has_x || has_y;
  }
};
template <class Combine> struct Swapped {  // Combine with x and y exchanged
  template <class X, class Y, class S, class Z> static __device__ __forceinline__ bool at(bool has_x, X x, bool has_y, Y y, S scalar, i64 i, i64 j, Z& t) {
    return Combine::at(has_y, y, has_x, x, scalar, i, j, t);
  }
};
struct Constant {  // the scalar at every position
  template <class X, class Y, class S, class Z> static __device__ __forceinline__ bool at(bool has_x, X x, bool has_y, Y y, S scalar, i64 i, i64 j, Z& t) {
    t = scalar;
    return true;
  }
};
