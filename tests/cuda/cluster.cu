// A kernel of one cluster of as many blocks as any device with clusters takes.
extern "C" __global__ void __cluster_dims__(8, 1, 1) nothing() {}
