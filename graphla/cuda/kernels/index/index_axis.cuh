// The k-th index of an axis: of a list, or of an arithmetic progression where there is no list.
template <class List> __device__ __forceinline__ i64 at(const List* list, i64 start, i64 step, i64 k) {
  return list ? (i64)list[k] : start + step * k;
}
