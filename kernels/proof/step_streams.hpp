#pragma once
// A step as streams: each takes some states of the table before to states of the table after, in their order.
#include <cstdint>
#include <vector>

#include "kernels/proof/eliminations.hpp"
#include "kernels/proof/state_table.hpp"

namespace countpm {

/// One term of a step: a state of the table before that has `required` and none of `forbidden`
/// becomes (state - required + added). Of keys, that keeps the order.
template <class Key>
struct StepStream {
  enum class Kind : std::uint8_t { covered, monomer, set };
  Kind kind = Kind::set;
  std::uint64_t set = 0;  // its number in the shape
  Key required = 0;
  Key forbidden = 0;
  Key added = 0;
  std::uint64_t places = ~std::uint64_t{0};  // of a block that take part,
  int shift = 0;                             // and how far they move

  bool takes(Key key) const { return (key & required) == required && (key & forbidden) == 0; }
  Key taken(Key key) const { return (key & ~required) | added; }
  std::uint64_t moved(std::uint64_t reached) const {
    const std::uint64_t own = reached & places;
    return shift >= 0 ? own << shift : own >> -shift;
  }
};

template <class Key>
struct StepStreams {
  std::vector<StepStream<Key>> stream;
  Key vertex = 0;  // the key's bit of the vertex that goes; 0 where that is in the place or there is none
};

/// The variable is covered by the stream, and was not before.
template <class Key>
void add_to(StepStream<Key>& stream, const StepVariable& variable) {
  if (variable.bit < place_bits) {
    // Before the step the bit is another vertex's, the eliminated one's, where it enters now.
    stream.places &= ~places_with[variable.bit];
    stream.shift += 1 << variable.bit;
  } else {
    stream.added |= Key{1} << (variable.bit - place_bits);
  }
}

template <class Key>
StepStreams<Key> streams_of(const EliminationStepPlan& step) {
  using Stream = StepStream<Key>;
  StepStreams<Key> result;
  result.stream.reserve(2 + step.terms.size());
  if (step.of_set) {
    const Stream all{.kind = Stream::Kind::covered};
    Stream stream{.set = step.terms.front().set};
    for (const StepVariable& variable : step.variables) add_to(stream, variable);
    stream.forbidden = stream.added;
    result.stream = {all, stream};
    return result;
  }
  std::uint64_t without = ~std::uint64_t{0};  // places without the vertex
  if (step.live) {
    Stream covered{.kind = Stream::Kind::covered};
    if (step.bit < place_bits) {
      covered.places = places_with[step.bit];
      covered.shift = -(1 << step.bit);
      without = ~places_with[step.bit];
    } else {
      result.vertex = Key{1} << (step.bit - place_bits);
      covered.required = result.vertex;
    }
    result.stream.push_back(covered);
  }
  Stream alone{.kind = Stream::Kind::monomer, .forbidden = result.vertex, .places = without};
  if (step.monomer) result.stream.push_back(alone);
  for (const StepTerm& term : step.terms) {
    Stream stream = alone;
    stream.kind = Stream::Kind::set;
    stream.set = term.set;
    for (const unsigned other : term.others) add_to(stream, step.variables[other]);
    stream.forbidden |= stream.added;
    result.stream.push_back(stream);
  }
  return result;
}

}  // namespace countpm
