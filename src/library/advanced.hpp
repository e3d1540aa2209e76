#pragma once
// What the command line, tests and programs over MPI need beside countpm.hpp: checkpoints and parts of
// counts and estimates, checkpoints' status, verification, sinks of labels, ranks. Installed as
// <countpm/advanced.hpp>; it may change with any version.
#include "src/api/entries.hpp"
#include "src/count/ln_z.hpp"
#include "src/estimate/estimate.hpp"
#include "src/estimate/estimate_parts.hpp"
#include "src/library/countpm.hpp"
#include "src/machine/channel.hpp"
#include "src/matchings/pattern_views.hpp"
#include "src/verify/verify_result.hpp"
