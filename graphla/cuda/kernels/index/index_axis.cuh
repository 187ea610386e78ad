// The k-th index of one axis of a region: from a list, or without a list (null) start + step * k.
template <class List> __device__ __forceinline__ i64 axis_index(const List* list, i64 start, i64 step, i64 k) {
  return list ? (i64)list[k] : start + step * k;
}
