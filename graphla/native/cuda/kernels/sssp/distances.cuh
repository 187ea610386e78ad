// Distances as unsigned words of the same size (Code): as no distance is negative, the words have the order of the distances, and
// integer atomics apply to floats. Edges with weights, and rows of them.
//
// Defined before: Distance, Code, Offset.

union DistanceBits { Code code; Distance value; };
__device__ __forceinline__ Code to_code(Distance distance) {
  DistanceBits bits;
  bits.value = distance;
  return bits.code;
}
__device__ __forceinline__ Distance to_distance(Code code) {
  DistanceBits bits;
  bits.code = code;
  return bits.value;
}
__device__ __forceinline__ Code plus(Code distance, Distance weight) { return to_code(to_distance(distance) + weight); }

struct alignas(2 * sizeof(Code)) Edge {
  Code to;
  Distance weight;
};

// Edges of each vertex, the lightest first. The rows from number long_rows on are short.
struct Rows {
  const Offset* offsets;
  const Edge* edges;
  i64 long_rows;
};
