"""Training on a GPU: the plan and the steps of the CPU, by kernels compiled when needed."""
