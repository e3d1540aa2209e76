#pragma once
// An embedding in which small rings are faces.
#include <optional>

#include "kernels/planar/orientation/embedding.hpp"

namespace countpm::draw {

/// A planar graph that two vertices can cut may have many embeddings, and a planarity test gives any of them:
/// one ring of a molecule inside another. Here every shortest ring through two neighbouring edges that has no
/// chord and at most 8 sides gets a hub, joined to its vertices and to the middles of its edges: where that
/// is still planar, the rings are faces, and the hubs are taken away again. nullopt where it is not, or where
/// there are no such rings or degrees above 8. O(vertices + edges).
std::optional<planar::Embedding> ring_embedding(const planar::BlockGraph& graph);

}  // namespace countpm::draw
