#include "apps/missing_options.hpp"

#include <algorithm>
#include <vector>

#include "apps/commands.hpp"
#include "apps/option_rows.hpp"

namespace countpm::app {
namespace {

struct Lack {
  std::vector<std::string_view> options;
  Questions commands;
  std::string_view why;
};

const std::vector<Lack>& lacks() {
  using namespace group;
  constexpr Questions probable = Questions(marginals) | sample;
  constexpr Questions matrices = minors | probability | determinants;
  static const std::vector<Lack> table{
      {{"weights", "at"}, list, "weights change no list; 'countpm sample --weights' draws by them"},
      {{"weights", "at"}, chem, "bonds have no weights; 'countpm count' takes a graph's"},
      {{"maximum"}, list, "lists are of perfect matchings; 'countpm sample --maximum' draws maximum ones"},
      {{"maximum", "monomers", "ground-state", "degree", "rings"},
       Questions(bounds),
       "bounds are of perfect matchings; 'countpm estimate' has an interval"},
      {{"rows", "cols", "copies", "degree", "rings", "power"},
       determinants,
       "a determinant is of the matrix as it is, and with a line twice it is 0"},
      {{"maximum", "monomers", "ground-state", "degree", "rings", "remove", "loops"},
       matrices,
       "it is of a matrix; 'countpm count' takes it of a graph"},
      {{"maximum", "monomers", "ground-state", "degree", "rings", "loops"},
       chem,
       "Kekule structures are perfect matchings; 'countpm count' takes the molecule's file, too"},
      {{"degree"}, list | probable, "only matchings are listed and drawn; 'countpm count --degree' counts"},
      {{"degree", "ground-state", "rows", "cols", "copies"},
       many,
       "'countpm count' takes it, one graph at a time"},
      {{"maximum", "degree", "ground-state", "rings"},
       compare,
       "'countpm estimate' samples, and 'countpm count' counts"},
      {{"rings"},
       list | probable,
       "only matchings are listed and drawn; 'countpm count --rings' counts covers"},
      {{"rings"}, estimate, "samples are of matchings; 'countpm explain --rings' says what a count takes"},
      {{"rows", "cols", "copies"},
       list | probable | compare | bounds,
       "'countpm count' and 'countpm estimate' repeat lines"},
      {{"power"}, explain, "all coefficients are counted together; forecast the count with --monomers t"},
      {{"power"}, estimate | probable | list | many, "'countpm count --monomers t --power K' counts"},
      {{"method", "order", "no-rule", "arithmetic"}, list, "a list is searched for, not counted"},
      {{"method", "order", "no-rule", "arithmetic"},
       probable,
       "each piece goes to the faster of the exact passes; 'countpm sample --explain' says to which, and "
       "--sampled or --sampler asks for samples"},
      {{"method", "order", "no-rule"}, matrices, "there is one method for it"},
      {{"method", "order", "no-rule", "arithmetic"}, Questions(bounds), "bounds are theorems, not counts"},
      {{"device", "gpus", "gpu-memory"},
       list | probable | chem | minors | determinants | bounds,
       "it runs on the CPU; 'countpm count' and 'countpm estimate' use GPUs"},
      {{"seed"}, list | chem | minors | determinants | bounds, "nothing in it is random"},
      {{"time-limit"}, list, "it writes as it goes: --number N ends it"},
      {{"progress"}, list, "it writes as it goes"},
      {{"progress"}, explain, "it is quick; 'countpm count --progress' shows a count's"},
      {{"csv"},
       count | estimate | explain | probability | determinants | bounds,
       "--json has all values; 'countpm many --csv' prints a row for each graph"},
      {{"svg"},
       count | estimate | list | matrices | bounds,
       "'countpm explain --svg' draws the structure, 'countpm marginals --svg' and 'countpm sample --svg' "
       "the "
       "graph"},
      {{"html"}, list | sample | chem | matrices | bounds, "--json has all values"},
      {{"checkpoint"},
       explain | list | probable | many | compare | chem | matrices | bounds,
       "only counts and estimates are kept"},
      {{"double-check"}, explain | estimate | many | compare, "'countpm count --double-check' counts twice"},
      {{"proof"},
       estimate | list | probable | many | compare | chem | matrices | bounds,
       "'countpm count --proof FILE' proves a number"},
      {{"proof"}, resume | merge | split, "'countpm prove' proves the number of a checkpoint or a result"},
      {{"number", "range"}, marginals, "every edge is reported"},
      {{"range"}, sample, "--number N says how many are drawn"},
      {{"number", "range"},
       count | explain | estimate | many,
       "'countpm list' writes matchings, 'countpm sample' draws some"},
      {{"exact"}, estimate | compare, "an estimate has an error; 'countpm count --exact' counts"},
      {{"exact"}, sample, "draws are exact unless --sampler is given"},
      {{"exact"}, list, "a list is exact"},
      {{"exact"}, many, "'countpm count --exact' takes one graph at a time"},
      {{"exact"}, Questions(bounds), "bounds are rounded outwards"},
      {{"digits"},
       count | explain | estimate | sample | many,
       "an exact number has all digits; --arithmetic BITS computes floats with more"},
      {{"given", "pairs"}, sample, "'countpm marginals' has them"},
      {{"sampler", "error", "samples", "guarantee", "ln-error", "replicates", "confidence", "signed",
        "ratio-to", "integrate", "second"},
       count | many,
       "'countpm estimate' samples"},
      {{"sampled"}, count | explain | many, "'countpm estimate' samples"},
      {{"sampled"}, sample, "--sampler NAME draws by samples"},
      {{"sampled"}, estimate, "it always samples"},
      {{"sampled", "sampler", "samples", "error"}, list, "'countpm sample' draws matchings"},
      {{"samples"}, sample, "--number N says how many are drawn"},
      {{"error", "samples", "sampler"}, compare, "--sizes says how many samples, --samplers which"},
      {{"error", "samples", "sampler", "sampled"},
       Questions(bounds),
       "bounds need no samples; 'countpm estimate' draws some"},
      {{"explain"}, many, "--no-counts reads the graphs and counts none; 'countpm explain' forecasts one"},
      {{"explain"}, list | chem | determinants | bounds, "it begins at once"},
      {{"on-limit"}, explain, "it forecasts, whatever the limits"},
      {{"on-limit"}, marginals, "--sampled estimates them"},
      {{"on-limit"}, sample, "--sampler NAME draws approximately"},
      {{"on-limit"}, estimate | many | compare, "'countpm count --on-limit' falls back"},
      {{"ln-z"}, estimate | bounds, "'countpm count --ln-z' computes it"},
      {{"ln-z"}, determinants, "--ln-only prints the logarithm"},
      {{"up-to-symmetry"},
       explain | estimate | probable | many,
       "'countpm count' and 'countpm list' take it"},
      {{"audit"}, explain | estimate | probable | many, "'countpm count --audit' runs units again"},
      {{"assume"},
       count | estimate | probable | many,
       "only a forecast may be of another machine: 'countpm explain --assume'"},
      {{"jobs"}, count | estimate, "--threads N says how many threads work"},
      {{"heights"}, marginals | count, "'countpm sample --heights' has those of a tiling"},
      {{"draw", "scale", "heights", "title", "width", "no-legend"},
       count | estimate | list,
       "'countpm explain --svg', 'countpm marginals --svg' and 'countpm sample --svg' draw"},
  };
  return table;
}

}  // namespace

std::string_view why_missing(std::string_view option, std::string_view command) {
  const Question question = question_of(command);
  for (const Lack& lack : lacks()) {
    if (!lack.commands.has(question)) continue;
    if (std::find(lack.options.begin(), lack.options.end(), option) != lack.options.end()) return lack.why;
  }
  return {};
}

}  // namespace countpm::app
