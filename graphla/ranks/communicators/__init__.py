"""What carries the collectives: MPI, NCCL, memory that processes share, or threads."""
