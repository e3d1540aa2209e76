#include "src/matchings/range_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "graph/errors.hpp"
#include "graph/sha256.hpp"
#include "matching/fingerprint.hpp"
#include "src/journal/sample_ledger.hpp"

namespace countpm {
namespace {

// What exp and log of two machines may differ by.
constexpr double largest_difference = 1e-9;

[[noreturn]] void refuse_bytes(const char* what) {
  throw CheckError(std::string("another rank sent ") + what);
}

class BytesOut {
 public:
  template <class Number>
  void put(Number number) {
    static_assert(std::is_trivially_copyable_v<Number>);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof number);
    std::memcpy(bytes_.data() + at, &number, sizeof number);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class BytesIn {
 public:
  explicit BytesIn(const std::string& bytes) : bytes_(bytes) {}
  template <class Number>
  Number get() {
    need(sizeof(Number));
    Number number;
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::string text() {
    const auto size = get<std::uint64_t>();
    need(size);
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  void end() const {
    if (at_ != bytes_.size()) refuse_bytes("more bytes than belong there");
  }
  void need(std::uint64_t size) const {
    if (size > bytes_.size() - at_) refuse_bytes("fewer bytes than belong there");
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

/// Whether the pairs are a perfect matching of the piece.
class PieceMatchings {
 public:
  explicit PieceMatchings(const Piece& piece) : general_(is_general(piece.block)) {
    std::visit(
        [this](const auto& block) {
          start_.assign(block.matrix.row_start.begin(), block.matrix.row_start.end());
          column_.assign(block.matrix.column.begin(), block.matrix.column.end());
          row_taken_.resize(block.matrix.rows);
          column_taken_.resize(general_ ? 0 : block.matrix.columns);
        },
        piece.block);
  }
  std::size_t rows() const { return row_taken_.size(); }

  bool is_one(const PairList& pairs) {
    std::fill(row_taken_.begin(), row_taken_.end(), false);
    std::fill(column_taken_.begin(), column_taken_.end(), false);
    std::vector<bool>& other = general_ ? row_taken_ : column_taken_;
    std::size_t rows = 0;
    for (const auto& [row, column] : pairs) {
      if (row >= row_taken_.size() || column >= other.size()) return false;
      if (!has(row, column) && !(general_ && has(column, row))) return false;
      if (row_taken_[row]) return false;
      row_taken_[row] = true;
      ++rows;
      if (general_ && row == column) continue;
      if (other[column]) return false;
      other[column] = true;
      rows += general_ ? 1 : 0;
    }
    return rows == row_taken_.size();
  }

 private:
  bool has(Index row, Index column) const {
    const auto begin = column_.begin() + static_cast<std::ptrdiff_t>(start_[row]);
    const auto end = column_.begin() + static_cast<std::ptrdiff_t>(start_[row + std::size_t{1}]);
    return std::find(begin, end, column) != end;
  }

  bool general_;
  std::vector<std::uint64_t> start_;
  std::vector<Index> column_;
  std::vector<bool> row_taken_;
  std::vector<bool> column_taken_;
};

bool near(double one, double other) {
  return one == other ||
         std::abs(one - other) <= largest_difference * std::max({1.0, std::abs(one), std::abs(other)});
}

bool is_sound(const PieceTally& tally) {
  const auto fits = [](const std::vector<double>& parts, double sum) {
    return std::all_of(parts.begin(), parts.end(),
                       [sum](double part) { return part >= 0 && part <= sum * (1 + largest_difference); });
  };
  return std::isfinite(tally.unit) && std::isfinite(tally.weights) && std::isfinite(tally.squares) &&
         tally.weights >= 0 && tally.squares >= 0 && fits(tally.entry_weights, tally.weights) &&
         fits(tally.entry_squares, tally.squares) && fits(tally.pair_weights, tally.weights) &&
         fits(tally.pair_squares, tally.squares);
}

void put_moments(BytesOut& out, const SampleMoments& moments) {
  out.put(batch_text({0, {0, moments.samples}, moments, 0}));
}

void put_integer(BytesOut& out, const mpz_class& number) {
  out.put(number.get_str(32));
}

mpz_class integer_from(BytesIn& in) {
  mpz_class number;
  if (number.set_str(in.text(), 32) != 0) refuse_bytes("what is no number");
  return number;
}

/// Whether the entries of every line share all matchings of the piece.
bool add_up(const PieceUses& found, const Piece& piece) {
  const EdgeUses& uses = found.uses;
  return std::visit(
      [&](const auto& block) {
        std::vector<mpq_class> rows(block.matrix.rows);
        std::vector<mpq_class> columns(block.matrix.columns);
        for (Index i = 0; i < block.matrix.rows; ++i) {
          for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}];
               ++k) {
            mpq_class share(uses.uses[uses.place[k]], static_cast<std::uint64_t>(uses.pairs[k]));
            share.canonicalize();
            rows[i] += share;
            columns[block.matrix.column[k]] += share;
          }
        }
        const auto all = [&](const std::vector<mpq_class>& sums) {
          return std::all_of(sums.begin(), sums.end(),
                             [&](const mpq_class& sum) { return sum == found.total; });
        };
        // Of unequal sides only the smaller one is covered.
        return (block.matrix.rows > block.matrix.columns || all(rows)) &&
               (block.matrix.rows < block.matrix.columns || all(columns));
      },
      piece.block);
}

}  // namespace

std::string pieces_digest(const Pieces& pieces) {
  Sha256 sum;
  sum.update_number(pieces.forced.size());
  for (const std::uint64_t entry : pieces.forced) sum.update_number(entry);
  for (const Piece& piece : pieces.pieces) sum.update(fingerprint(piece.block));
  return sum.digest();
}

std::string draws_to_bytes(const std::vector<PairList>& draws) {
  BytesOut out;
  for (const PairList& pairs : draws) {
    out.put(std::uint64_t{pairs.size()});
    for (const auto& [row, column] : pairs) {
      out.put(row);
      out.put(column);
    }
  }
  return out.take();
}

std::vector<PairList> draws_from_bytes(const std::string& bytes, std::uint64_t count, const Piece& piece) {
  PieceMatchings matchings(piece);
  BytesIn in(bytes);
  std::vector<PairList> draws;
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto pairs = in.get<std::uint64_t>();
    if (pairs > matchings.rows()) refuse_bytes("draws that are no matchings");
    draws.emplace_back();
    for (std::uint64_t p = 0; p < pairs; ++p) {
      const auto row = in.get<Index>();
      draws.back().emplace_back(row, in.get<Index>());
    }
    if (!matchings.is_one(draws.back())) refuse_bytes("draws that are no matchings");
  }
  in.end();
  return draws;
}

std::string tallies_to_bytes(const std::vector<PieceTally>& tallies) {
  BytesOut out;
  for (const PieceTally& tally : tallies) {
    put_moments(out, tally.moments);
    out.put(tally.unit);
    out.put(tally.weights);
    out.put(tally.squares);
    out.put(std::uint64_t{tally.entry_weights.size()});
    for (const double weight : tally.entry_weights) out.put(weight);
    for (const double square : tally.entry_squares) out.put(square);
    for (const double weight : tally.pair_weights) out.put(weight);
    for (const double square : tally.pair_squares) out.put(square);
  }
  return out.take();
}

std::vector<PieceTally> tallies_from_bytes(const std::string& bytes, std::uint64_t count, std::size_t entries,
                                           std::size_t pairs) {
  BytesIn in(bytes);
  std::vector<PieceTally> tallies;
  for (std::uint64_t k = 0; k < count; ++k) {
    PieceTally tally;
    tally.moments = parse_batch(in.text()).moments;
    tally.unit = in.get<double>();
    tally.weights = in.get<double>();
    tally.squares = in.get<double>();
    const auto size = in.get<std::uint64_t>();
    // Of samples that are all 0 there is nothing to tell.
    if (size != (tally.moments.nonzero == 0 ? 0 : entries)) refuse_bytes("tallies of another piece");
    const std::uint64_t of_pairs = size == 0 ? 0 : pairs;
    in.need(2 * sizeof(double) * (size + of_pairs));
    for (std::uint64_t e = 0; e < size; ++e) tally.entry_weights.push_back(in.get<double>());
    for (std::uint64_t e = 0; e < size; ++e) tally.entry_squares.push_back(in.get<double>());
    for (std::uint64_t e = 0; e < of_pairs; ++e) tally.pair_weights.push_back(in.get<double>());
    for (std::uint64_t e = 0; e < of_pairs; ++e) tally.pair_squares.push_back(in.get<double>());
    if (!is_sound(tally)) refuse_bytes("tallies that cannot be");
    tallies.push_back(std::move(tally));
  }
  in.end();
  return tallies;
}

std::string ratio_chunks_to_bytes(const std::vector<RatioSamples>& chunks) {
  BytesOut out;
  for (const RatioSamples& samples : chunks) {
    out.put(std::uint64_t{samples.size()});
    for (const RatioSample& sample : samples) out.put(sample);
  }
  return out.take();
}

std::vector<RatioSamples> ratio_chunks_from_bytes(const std::string& bytes, std::uint64_t count) {
  BytesIn in(bytes);
  std::vector<RatioSamples> chunks;
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto size = in.get<std::uint64_t>();
    if (size == 0 || size > largest_ratio_chunk) refuse_bytes("chunks of another size");
    RatioSamples& samples = chunks.emplace_back();
    for (std::uint64_t s = 0; s < size; ++s) {
      samples.push_back(in.get<RatioSample>());
      if (!is_sample(samples.back())) refuse_bytes("samples that cannot be");
    }
  }
  in.end();
  return chunks;
}

bool alike(const RatioSample& one, const RatioSample& other) {
  return near(one.log, other.log) && near(one.log_a, other.log_a) && near(one.log_b, other.log_b);
}

std::string residues_to_bytes(const PrimeResidues& residues) {
  BytesOut out;
  for (const std::vector<std::uint64_t>& of_prime : residues) {
    out.put(std::uint64_t{of_prime.size()});
    for (const std::uint64_t residue : of_prime) out.put(residue);
  }
  return out.take();
}

PrimeResidues residues_from_bytes(const std::string& bytes, const std::vector<std::uint64_t>& primes,
                                  std::size_t values) {
  BytesIn in(bytes);
  PrimeResidues residues;
  for (const std::uint64_t prime : primes) {
    residues.emplace_back();
    const auto size = in.get<std::uint64_t>();
    if (size == 0) continue;
    if (size != values) refuse_bytes("residues of another piece");
    in.need(sizeof(std::uint64_t) * size);
    for (std::uint64_t k = 0; k < size; ++k) {
      residues.back().push_back(in.get<std::uint64_t>());
      if (residues.back().back() >= prime) refuse_bytes("residues beyond their prime");
    }
  }
  in.end();
  return residues;
}

std::string uses_to_bytes(const std::vector<PieceUses>& uses) {
  BytesOut out;
  for (const PieceUses& of_piece : uses) {
    out.put(of_piece.method);
    put_integer(out, of_piece.total);
    if (of_piece.total == 0) continue;
    out.put(std::uint64_t{of_piece.uses.uses.size()});
    for (const mpz_class& use : of_piece.uses.uses) put_integer(out, use);
    for (const std::uint64_t place : of_piece.uses.place) out.put(place);
    for (const std::uint64_t pairs : of_piece.uses.pairs) out.put(pairs);
  }
  return out.take();
}

std::vector<PieceUses> uses_from_bytes(const std::string& bytes, const UnitRange& numbers,
                                       const std::vector<Piece>& pieces) {
  BytesIn in(bytes);
  std::vector<PieceUses> some;
  for (std::uint64_t p = numbers.first; p < numbers.last; ++p) {
    PieceUses found;
    found.method = in.text();
    found.total = integer_from(in);
    if (found.total != 0) {
      const std::size_t entries = pieces[p].entries.size();
      const auto size = in.get<std::uint64_t>();
      in.need(sizeof(std::uint64_t) * size);  // each number's length
      for (std::uint64_t k = 0; k < size; ++k) found.uses.uses.push_back(integer_from(in));
      in.need(2 * sizeof(std::uint64_t) * entries);
      for (std::size_t k = 0; k < entries; ++k) found.uses.place.push_back(in.get<std::uint64_t>());
      for (std::size_t k = 0; k < entries; ++k) found.uses.pairs.push_back(in.get<std::uint64_t>());
      const bool placed = std::all_of(found.uses.place.begin(), found.uses.place.end(),
                                      [&](std::uint64_t place) { return place < size; });
      const bool paired = std::all_of(found.uses.pairs.begin(), found.uses.pairs.end(),
                                      [](std::uint64_t pairs) { return pairs > 0; });
      if (!placed || !paired || !add_up(found, pieces[p]))
        refuse_bytes("shares of edges that do not add up to all matchings");
    }
    some.push_back(std::move(found));
  }
  in.end();
  return some;
}

std::string fractions_to_bytes(const std::vector<mpq_class>& fractions) {
  BytesOut out;
  for (const mpq_class& fraction : fractions) {
    put_integer(out, fraction.get_num());
    put_integer(out, fraction.get_den());
  }
  return out.take();
}

std::vector<mpq_class> fractions_from_bytes(const std::string& bytes, std::size_t count) {
  BytesIn in(bytes);
  std::vector<mpq_class> fractions;
  for (std::size_t k = 0; k < count; ++k) {
    const mpz_class numerator = integer_from(in);
    const mpz_class denominator = integer_from(in);
    if (denominator <= 0 || gcd(numerator, denominator) != 1) refuse_bytes("what is no fraction");
    fractions.emplace_back(numerator, denominator);
  }
  in.end();
  return fractions;
}

bool alike(const PieceTally& one, const PieceTally& other) {
  const auto all_near = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), near);
  };
  return one.moments.samples == other.moments.samples && one.moments.nonzero == other.moments.nonzero &&
         near(one.unit, other.unit) && near(one.weights, other.weights) && near(one.squares, other.squares) &&
         all_near(one.entry_weights, other.entry_weights) &&
         all_near(one.entry_squares, other.entry_squares) && all_near(one.pair_weights, other.pair_weights) &&
         all_near(one.pair_squares, other.pair_squares);
}

}  // namespace countpm
