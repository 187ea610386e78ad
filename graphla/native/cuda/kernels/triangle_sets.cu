// The neighbours below each vertex, in their two forms.
#include "triangles.cuh"

// How many neighbours are below v, and how many chunks of columns, from the first on, are dense.
extern "C" __global__ void measure(i64 n, const Offset* ends, const u32* columns, i32* sizes, i64* chunks) {
  for (i64 v = thread(); v < n; v += threads()) {
    i64 p = ends[v], end = place_in(columns, p, ends[v + 1], v), k = 0;
    sizes[v] = end - p;
    for (; k < PREFIX / CHUNK; k++) {
      i64 next = place_in(columns, p, end, (k + 1) * CHUNK);
      if (next - p < DENSE) break;
      p = next;
    }
    chunks[v] = k;
  }
}

// Write both forms; `chunks` are summed up to each vertex. A warp takes a vertex.
extern "C" __global__ void divide(i64 n, const Offset* ends, const u32* columns, const i32* sizes, const i64* chunks, Lower* lower, u32* bits) {
  for (i64 v = warp(); v < n; v += warps()) {
    i64 before = v ? chunks[v - 1] : 0, mine = chunks[v] - before, end = ends[v] + sizes[v];
    i64 rest = place_in(columns, ends[v], end, mine * CHUNK), first = before * (CHUNK / 32);
    for (i64 p = ends[v] + lane(); p < rest; p += WARP) atomicOr(&bits[first + (columns[p] >> 5)], 1u << (columns[p] & 31));
    Lower made = {first, rest, (u32)(mine * (CHUNK / 32)), (u32)(end - rest)};
    if (lane() == 0) lower[v] = made;
  }
}
