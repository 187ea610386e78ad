// An empty kernel in clusters of 8 blocks, the largest size that every device with clusters supports.
extern "C" __global__ void __cluster_dims__(8, 1, 1) nothing() {}
