# CUDA is optional: without nvcc everything else builds and works.
set(COUNTPM_HAVE_CUDA OFF)
