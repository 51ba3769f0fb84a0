"""CUDA kernels without a GPU: by g++, fibers, and NumPy in place of CuPy."""
