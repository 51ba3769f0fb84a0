"""CUDA kernels, compiled when needed, and their arguments; training/gpu.py launches them."""
