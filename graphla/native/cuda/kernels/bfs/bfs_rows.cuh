// The neighbours of vertices, and parts of their rows.
#include "warp.cuh"

typedef u32 Vertex;
enum : u32 { NONE = ~0u, MORE = 1u << 31 };  // no vertex; a mark on one whose heads are not its whole row
enum {
  PIECE = 2048,  // out-edges of the frontier that a warp takes at once
  FEW = 64,      // in-edges through which one thread looks
  LONG = 1024    // in-edges that a warp takes after that
};

// Pointers that were kept in shared memory: without a word the compiler cannot know where they lead.
#ifdef SIMULATED
template <class T> __device__ __forceinline__ T* global(T* p) { return p; }
template <class T> __device__ __forceinline__ T* of_block(T* p) { return p; }
#else
template <class T> __device__ __forceinline__ T* global(T* p) {
  __builtin_assume(__isGlobal(p));
  return p;
}
template <class T> __device__ __forceinline__ T* of_block(T* p) {
  __builtin_assume(__isShared(p));
  return p;
}
#endif

// Part of a row: `count` entries from `begin`, of the vertex in the upper half of `who`.
struct Piece {
  u64 begin, who;
  static __device__ __forceinline__ Piece of(Vertex v, i64 begin, i64 count) {
    Piece p;
    p.begin = begin, p.who = (u64)v << 32 | count;
    return p;
  }
};

// Neighbours, those of high degree first. With FAR only the first few of each row are near, in device
// memory; entry `near` and those behind it lie in host memory.
struct Rows {
  const Offset* ends;
  const u32* nearby;
  const Offset* far_ends;
  const u32* distant;
  i64 near;
  __device__ __forceinline__ i64 begin(Vertex v) const { return global(ends)[v]; }
  __device__ __forceinline__ i64 end(Vertex v) const { return global(ends)[v + 1]; }
#if FAR
  __device__ __forceinline__ i64 far_begin(Vertex v) const { return near + global(far_ends)[v]; }
  __device__ __forceinline__ i64 far_end(Vertex v) const { return near + global(far_ends)[v + 1]; }
  __device__ __forceinline__ Vertex at(i64 p) const { return p < near ? global(nearby)[p] : global(distant)[p - near]; }
#else
  __device__ __forceinline__ i64 far_begin(Vertex) const { return 0; }
  __device__ __forceinline__ i64 far_end(Vertex) const { return 0; }
  __device__ __forceinline__ Vertex at(i64 p) const { return global(nearby)[p]; }
#endif
  __device__ __forceinline__ i64 degree(Vertex v) const { return end(v) - begin(v) + far_end(v) - far_begin(v); }
};
