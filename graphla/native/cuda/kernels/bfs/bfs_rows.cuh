// Neighbour lists (Rows), parts of them (Piece), and hints to the compiler where a pointer leads.
//
// Defined before: Offset; HAS_HOST_ROWS, whether a part of the neighbours is in host memory.
#include "warp.cuh"

typedef u32 Vertex;
enum : u32 {
  NONE = ~0u,          // no vertex
  HAS_MORE = 1u << 31  // a mark on one of a vertex's copied first neighbours: the row is longer than the copy
};
enum {
  PIECE = 2048,       // out-edges of the frontier that are queued together
  THREAD_EDGES = 64,  // in-edges that one thread checks
  PULL_PIECE = 1024   // in-edges that a warp checks after that
};

// Pointers that were stored in shared memory: without the hint the compiler cannot know whether they lead to global memory.
#ifdef SIMULATED
template <class T> __device__ __forceinline__ T* in_global(T* p) { return p; }
template <class T> __device__ __forceinline__ T* in_shared(T* p) { return p; }
#else
template <class T> __device__ __forceinline__ T* in_global(T* p) {
  __builtin_assume(__isGlobal(p));
  return p;
}
template <class T> __device__ __forceinline__ T* in_shared(T* p) {
  __builtin_assume(__isShared(p));
  return p;
}
#endif

// Part of a row: `count` entries from `begin` on, in the lower half of vertex_and_count, of the vertex in the upper half.
struct Piece {
  u64 begin, vertex_and_count;
  static __device__ __forceinline__ Piece of(Vertex v, i64 begin, i64 count) {
    Piece piece;
    piece.begin = begin, piece.vertex_and_count = (u64)v << 32 | count;
    return piece;
  }
};

// Neighbours, those of high degree first. With HAS_HOST_ROWS only the first few of each row are in device memory; the entries
// from number device_entries on are in host memory.
struct Rows {
  const Offset* offsets;
  const u32* columns;
  const Offset* host_offsets;
  const u32* host_columns;
  i64 device_entries;
  __device__ __forceinline__ i64 begin(Vertex v) const { return in_global(offsets)[v]; }
  __device__ __forceinline__ i64 end(Vertex v) const { return in_global(offsets)[v + 1]; }
#if HAS_HOST_ROWS
  __device__ __forceinline__ i64 host_begin(Vertex v) const { return device_entries + in_global(host_offsets)[v]; }
  __device__ __forceinline__ i64 host_end(Vertex v) const { return device_entries + in_global(host_offsets)[v + 1]; }
  __device__ __forceinline__ Vertex column(i64 p) const {
    return p < device_entries ? in_global(columns)[p] : in_global(host_columns)[p - device_entries];
  }
#else
  __device__ __forceinline__ i64 host_begin(Vertex) const { return 0; }
  __device__ __forceinline__ i64 host_end(Vertex) const { return 0; }
  __device__ __forceinline__ Vertex column(i64 p) const { return in_global(columns)[p]; }
#endif
  __device__ __forceinline__ i64 degree(Vertex v) const { return end(v) - begin(v) + host_end(v) - host_begin(v); }
};
