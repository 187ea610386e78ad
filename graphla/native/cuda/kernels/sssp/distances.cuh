// Distances as words, and edges with their weights.

// Distances are compared as their bits: neither integers nor floats are negative.
union Bits { Code code; Distance value; };
__device__ __forceinline__ Code code(Distance d) {
  Bits b;
  b.value = d;
  return b.code;
}
__device__ __forceinline__ Distance value(Code c) {
  Bits b;
  b.code = c;
  return b.value;
}
__device__ __forceinline__ Code plus(Code d, Distance w) { return code(value(d) + w); }

struct alignas(2 * sizeof(Code)) Edge {
  Code to;
  Distance weight;
};

// Neighbours of each vertex, the lightest edges first. Rows from `longs` on are short.
struct Rows {
  const Offset* ends;
  const Edge* edges;
  i64 longs;
};
