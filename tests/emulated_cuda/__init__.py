"""CUDA kernels without a GPU: g++ compiles them, fibers are threads, NumPy replaces CuPy."""
