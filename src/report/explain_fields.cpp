// Forecasts of counts, described for JSON.
#include "src/report/head.hpp"
#include "src/report/json.hpp"

namespace countpm {

const Fields<MethodForecast>& fields_of(const MethodForecast*) {
  const auto known = [](double MethodForecast::*value) {
    return [value](const MethodForecast& method) {
      return method.obstacle ? std::nullopt : finite(method.*value);
    };
  };
  static const auto fields =
      Fields<MethodForecast>()
          .add("method", "", &MethodForecast::method)
          .add("obstacle", "why it cannot; null: it can",
               [](const MethodForecast& method) {
                 return method.obstacle ? std::optional(method.obstacle->text) : std::nullopt;
               })
          .add("log10_seconds", "", known(&MethodForecast::log10_seconds))
          .add("log10_work", "in `work_name`", known(&MethodForecast::log10_work))
          .add("work_name", "", &MethodForecast::work_name)
          .add("plan", "the method's own words for what it would do; may be empty", &MethodForecast::plan)
          .add("memory_bytes", "", &MethodForecast::memory_bytes)
          .add("measured", "its rate was measured on this block; else it is nominal",
               &MethodForecast::measured)
          .add("device", "`cpu`, `gpu` or `gpu+cpu`, whichever is faster where `--device` leaves the choice",
               &MethodForecast::device)
          .add("gpus_together", "GPUs that hold the tables of one unit, 1 as a rule; 0 on the CPU",
               &MethodForecast::gpus_together)
          .add("waiting_bytes", "of `memory_bytes`, for tables that wait until a GPU has room for them",
               &MethodForecast::waiting_bytes)
          .add("chosen", "", &MethodForecast::chosen);
  return fields;
}

const Fields<BlockForecast>& fields_of(const BlockForecast*) {
  static const auto fields =
      Fields<BlockForecast>()
          .add("rows", "as of a count", &BlockForecast::rows)
          .add("edges", "", &BlockForecast::entries)
          .add("general", "", &BlockForecast::general)
          .add("log2_bound", "of its count",
               [](const BlockForecast& block) { return finite(block.log2_bound); })
          .add("arithmetic", "", &BlockForecast::arithmetic)
          .add("modulo",
               "with `--modulo`: `directly`, or why the block is counted exactly ([modulo.md](modulo.md))",
               [](const BlockForecast& block) { return text_or_null(block.modulo); })
          .add("bounds",
               "what its count is for certain ([estimate.md](estimate.md)); null with negative or complex "
               "weights, "
               "and beyond 50,000 entries (three for every edge of a graph with odd cycles) or 64 blocks",
               &BlockForecast::bounds)
          .add("methods", "", &BlockForecast::methods);
  return fields;
}

const Fields<MachineLoad>& fields_of(const MachineLoad*) {
  static const auto fields =
      Fields<MachineLoad>()
          .add("cores", "of the machine", &MachineLoad::cores)
          .add("busy_with_others", "of them, with other programs, on average", &MachineLoad::busy);
  return fields;
}

const Fields<AssumedMachine>& fields_of(const AssumedMachine*) {
  static const auto fields =
      Fields<AssumedMachine>()
          .add("gpu", "", [](const AssumedMachine& machine) { return text_or_null(machine.gpu); })
          .add("gpus", "",
               [](const AssumedMachine& machine) {
                 return machine.gpu.empty() ? std::nullopt : std::optional(machine.gpus);
               })
          .add("machines", "", &AssumedMachine::machines)
          .add("threads", "", [](const AssumedMachine& machine) {
            return machine.threads > 0 ? std::optional(machine.threads) : std::nullopt;
          });
  return fields;
}

const Fields<ProofForecast>& fields_of(const ProofForecast*) {
  static const auto fields =
      Fields<ProofForecast>()
          .add("states", "of all tables together", &ProofForecast::states)
          .add("widest", "of the largest table", &ProofForecast::widest)
          .add("memory_bytes", "at most so many at a time", &ProofForecast::memory_bytes)
          .add("again", "how many times more than once tables are made, to save memory",
               &ProofForecast::again)
          .add("seconds", "predicted, beside the count", &ProofForecast::seconds)
          .add("rounds", "of the proof's file", &ProofForecast::rounds)
          .add("file_bytes", "of the proof's file, but for the digits of the count",
               &ProofForecast::file_bytes)
          .add("by_embedding", "of a planar graph too wide for tables: there are none then",
               &ProofForecast::planar);
  return fields;
}

const Fields<Explanation>& fields_of(const Explanation*) {
  static const auto fields = with_notes(
      head<Explanation>("explain")
          .add("rows", "of the matrix; with what `--maximum` adds for free vertices", &Explanation::rows)
          .add("columns", "", &Explanation::columns)
          .add("matching_size", "edges of a largest matching", &Explanation::matching_size)
          .add("structure_blocks",
               "Dulmage-Mendelsohn blocks (components of a graph with odd cycles), before reductions",
               &Explanation::structure_blocks)
          .add("entries_dropped", "entries (of a graph with odd cycles: edges) in no perfect matching",
               &Explanation::entries_dropped)
          .add("reductions", "for every rule what it did",
               [](const Explanation& explanation) { return by_rule(explanation.reductions); })
          .add("settings", "what `--set` set, by name ([settings.md](settings.md))", &Explanation::settings)
          .add("factor",
               "what the reductions factored out (`a polynomial in i` for complex weights with `--exact`); "
               "null if "
               "there is a violator",
               [](const Explanation& explanation) {
                 return explanation.violator ? std::nullopt : std::optional(explanation.factor);
               })
          .add("blocks", "what is left, largest first", &Explanation::blocks)
          .add("log10_total_seconds", "of all blocks",
               [](const Explanation& explanation) { return finite(explanation.log10_total_seconds); })
          .add("feasible", "within the limits", &Explanation::feasible)
          .add("proof", "what `--proof` takes; null without it", &Explanation::proof)
          .add("load",
               "while rates were measured; null if nothing was measured, or not for long enough to know",
               &Explanation::load)
          .add("assumed",
               "what `--assume` said, null where it did not; forecasts on such GPUs have `measured` false",
               [](const Explanation& explanation) {
                 return explanation.assumed.any() ? std::optional(explanation.assumed) : std::nullopt;
               }));
  return fields;
}

}  // namespace countpm
