// What a launch alone takes.
extern "C" __global__ void nothing() {}
