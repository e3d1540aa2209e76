#pragma once
// What a checker does with the rounds of a proof, by GMP and without a line of kernels/proof/ but for the
// hashes: docs/internals/proof-format.md, "Rounds".
#include <gmpxx.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/proof/eliminations.hpp"
#include "kernels/proof/transcript.hpp"

namespace countpm::proof_test {

struct CheckedCount {
  CoverShape shape;
  std::vector<mpz_class> weight;   // of every set, modulo p
  std::vector<mpz_class> monomer;  // of every vertex
  std::vector<Index> order;
};

/// Of base64 that is right: numbers of 16 bytes.
inline std::vector<mpz_class> numbers_of_base64(const std::string& text, std::string& bytes) {
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned bits = 0, value = 0;
  bytes.clear();
  for (const char c : text) {
    if (c == '=') break;
    value = value << 6 | static_cast<unsigned>(digits.find(c));
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(static_cast<unsigned char>(value >> bits & 255));
    }
  }
  std::vector<mpz_class> numbers(bytes.size() / 16);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    mpz_import(numbers[i].get_mpz_t(), 16, 1, 1, 1, 0, bytes.data() + 16 * i);
  return numbers;
}

/// rounds: in base64.
inline bool rounds_are_right(const CheckedCount& count, const mpz_class& p, const HashBytes& statement,
                             const mpz_class& claim, const std::vector<std::string>& rounds) {
  const Index n = count.shape.vertices;
  const auto mod = [&p](const mpz_class& x) {
    mpz_class r;
    mpz_fdiv_r(r.get_mpz_t(), x.get_mpz_t(), p.get_mpz_t());
    return r;
  };
  std::vector<Index> place(n);
  for (Index k = 0; k < n; ++k) place[count.order[k]] = k;
  // The sets of every step: one larger one, or all edges of a vertex to later ones.
  struct Step {
    Index vertex = no_index;
    std::vector<std::pair<std::vector<Index>, mpz_class>> sets;
    std::set<Index> old, entering;
  };
  std::vector<std::vector<Step>> at(n);
  for (Index k = 0; k < n; ++k) {
    at[k].resize(1);
    at[k].back().vertex = count.order[k];
  }
  for (std::uint64_t set = 0; set < count.shape.sets(); ++set) {
    std::vector<Index> members(count.shape.member.begin() + static_cast<long>(count.shape.start[set]),
                               count.shape.member.begin() + static_cast<long>(count.shape.start[set + 1]));
    Index first = n;
    for (const Index v : members) first = std::min(first, place[v]);
    if (members.size() == 2) {
      at[first].back().sets.emplace_back(members, count.weight[set]);
    } else {
      Step own;
      own.sets.emplace_back(members, count.weight[set]);
      at[first].insert(at[first].end() - 1, own);
    }
  }
  std::vector<Step> steps;
  std::set<Index> touched;
  for (std::vector<Step>& own : at) {
    for (Step& step : own) {
      std::set<Index> vertices;
      for (const auto& set : step.sets) vertices.insert(set.first.begin(), set.first.end());
      if (step.vertex != no_index) vertices.insert(step.vertex);
      for (const Index v : vertices) {
        if (touched.count(v) != 0) {
          step.old.insert(v);
        } else if (v != step.vertex) {
          step.entering.insert(v);
        }
      }
      touched.insert(vertices.begin(), vertices.end());
      steps.push_back(step);
    }
  }
  if (rounds.size() != steps.size()) return false;

  mpz_class c = mod(claim);
  std::map<Index, mpz_class> r;
  HashBytes hash = statement;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const Step& step = steps[steps.size() - 1 - i];
    std::string bytes;
    std::vector<mpz_class> q = numbers_of_base64(rounds[i], bytes);
    if (q.size() != std::max<std::size_t>(step.old.size(), 1)) return false;
    for (const mpz_class& number : q)
      if (number >= p) return false;
    q.insert(q.begin() + 1, 0);
    // c = A q_0 + B q_1 + C (q_2 + ..)
    mpz_class a = 0, b = 1, others = 0;
    for (const Index w : step.entering) b = mod(b * (1 - r[w]));
    if (step.vertex == no_index) {
      mpz_class weight = step.sets.front().second;
      for (const Index w : step.sets.front().first) weight = mod(weight * r[w]);
      a = b + weight;
      b = others = weight;
    } else {
      mpz_class inverse;
      a = count.monomer[step.vertex] + (step.old.count(step.vertex) != 0 ? 1 : 0);
      for (const auto& [members, weight] : step.sets) {
        const Index w = members[0] == step.vertex ? members[1] : members[0];
        if (step.old.count(w) != 0) {
          a += weight * r[w];
        } else {
          if (mpz_invert(inverse.get_mpz_t(), mod(1 - r[w]).get_mpz_t(), p.get_mpz_t()) == 0) return false;
          a += weight * r[w] * inverse;
        }
      }
      a = mod(a * b);
    }
    mpz_class said = a * q[0];
    for (std::size_t k = 2; k < q.size(); ++k) said += others * q[k];
    mpz_class inverse;
    if (mpz_invert(inverse.get_mpz_t(), mod(b).get_mpz_t(), p.get_mpz_t()) == 0) return false;
    q[1] = mod((c - said) * inverse);
    if (step.old.empty() && q[1] != 0) return false;

    hash = hash_of(std::string(hash.begin(), hash.end()) + bytes);
    const mpz_class t = mod(number_of(hash));
    c = 0;
    for (std::size_t k = q.size(); k-- > 0;) c = mod(c * t + q[k]);
    for (const auto& [members, weight] : step.sets) {
      for (const Index w : members) {
        if (step.old.count(w) == 0 || w == step.vertex) continue;
        r[w] = mod(step.vertex == no_index ? mpz_class(r[w] * (1 - t))
                                           : mpz_class(r[w] - t * weight * r[w] * r[w]));
      }
    }
    if (step.old.count(step.vertex) != 0) r[step.vertex] = t;
    for (const Index w : step.entering) r.erase(w);
  }
  return c == 1 && r.empty();
}

}  // namespace countpm::proof_test
