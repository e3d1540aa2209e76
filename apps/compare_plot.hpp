#pragma once
// A plot of a comparison: how every sampler's estimate nears the exact count as its samples grow.
#include <vector>

#include "src/draw/page.hpp"
#include "src/estimate/compare.hpp"

namespace countpm::app {

/// A panel for each input, in it a curve for each sampler over the number of samples drawn, its claimed
/// interval as a band, all over the exact count, whose line is dashed; log10 of the estimate where there is
/// no exact count. The height is logarithmic where estimates or intervals reach beyond 1/10 or 10 times the
/// exact count; intervals in doubt (up to a proven bound) do not stretch it and are cut off. Estimates of 0
/// have no point. Precondition: at least one input, each with an
/// estimate, and at most draw::curves.size() samplers.
draw::Picture compare_plot(const std::vector<ComparedInput>& inputs, const draw::PageStyle& style = {});

}  // namespace countpm::app
