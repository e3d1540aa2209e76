#pragma once
// A plot of a comparison: how every sampler's estimate nears the exact count in time.
#include <vector>

#include "src/draw/page.hpp"
#include "src/estimate/compare.hpp"

namespace countpm::app {

/// Two panels for each input, in both a curve for each sampler over its seconds: ln of the estimate over the
/// exact count (or of the estimate, where there is none) with the claimed interval as a bar, and the error
/// that is claimed. An estimate in doubt claims none: it is a ring without a bar in the first panel alone.
/// Estimates of 0 have no point. Precondition: at least one input, each with an estimate, and at most
/// draw::curves.size() samplers.
draw::Picture compare_plot(const std::vector<ComparedInput>& inputs, const draw::PageStyle& style = {});

}  // namespace countpm::app
