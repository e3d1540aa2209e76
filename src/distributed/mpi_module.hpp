#pragma once
// What the module of mpi_channel.cpp exports.
#include "src/machine/channel.hpp"

extern "C" {
/// Begins MPI and returns the one channel; deleting it ends MPI. MPI itself ends the program where it fails.
countpm::Channel* countpm_open_channel();
}
