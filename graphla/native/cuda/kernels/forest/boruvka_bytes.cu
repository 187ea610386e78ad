// Lightest edge of each active vertex out of its tree, from two lists sorted by cost: near neighbours in ten bits, and the others
// (far). The lighter of the two lists' first neighbours in another tree.
//
// Work split, conflicts: as boruvka_sorted.cu.
// Memory: as boruvka_sorted.cu, but 10 instead of 32 bits per near neighbour.
// Source: A. Kolganov, 2015.
#include "boruvka.cuh"

extern "C" __global__ void find_lightest_edges(i64 count, const i32* active_vertices, const i32* base, const Offset* near_offsets, const u8* bytes,
                                               const u8* blocks, const Cost* near_costs, const Offset* far_offsets, const i32* far_columns,
                                               const Cost* far_costs, const i32* tree, Offset* near_scan_begins, Offset* far_scan_begins,
                                               i32* goal, Cost* cost) {
  const ByteLists near_lists = {base, bytes, blocks};
  for (i64 first = warp() * WARP; first < count; first += warps() * WARP) {
    i64 i = first + lane();
    i32 v = i < count ? active_vertices[i] : 0;
    bool scans = i < count && edge_is_inside(tree, goal, v);
    i32 v_tree = scans ? tree[v] : 0;
    i64 near_end = scans ? near_offsets[v + 1] : 0, far_end = scans ? far_offsets[v + 1] : 0;
    i64 near_entry = first_outside(near_lists, tree, v, v_tree, scans ? near_scan_begins[v] : 0, near_end);
    i64 far_entry = first_outside(PlainLists{far_columns}, tree, v, v_tree, scans ? far_scan_begins[v] : 0, far_end);
    if (!scans) continue;
    near_scan_begins[v] = near_entry, far_scan_begins[v] = far_entry;
    bool is_near = near_entry < near_end && (far_entry == far_end || near_costs[near_entry] < far_costs[far_entry]);
    goal[v] = is_near ? near_lists.neighbour(v, near_entry) : far_entry < far_end ? far_columns[far_entry] : -1;
    if (goal[v] >= 0) cost[v] = is_near ? near_costs[near_entry] : far_costs[far_entry];
  }
}
