"""Native kernels of the CPU engine that find dense parts: triangles, clustering, cores, trusses."""
