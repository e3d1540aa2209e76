// Forecasts of samples and of random matchings, described for JSON.
#include "src/api/draw_forecast.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/report/head.hpp"
#include "src/report/json.hpp"
#include "src/report/sampled_fields.hpp"
#include "src/words/sampling_forecast_words.hpp"

namespace countpm {
namespace {

/// A piece, and whether it is of all blocks together, which have no size.
struct PieceObject {
  const PieceForecast& piece;
  bool of_all = false;
  bool known() const { return piece.obstacle.empty() && piece.samples > 0; }
};

const Fields<PieceObject>& fields_of(const PieceObject*) {
  const auto size = [](std::uint64_t PieceForecast::*number) {
    return
        [number](const PieceObject& o) { return o.of_all ? std::nullopt : std::optional(o.piece.*number); };
  };
  static const auto fields =
      Fields<PieceObject>()
          .add("rows", "null of a comparison", size(&PieceForecast::rows))
          .add("edges", "null of a comparison", size(&PieceForecast::entries))
          .add("general", "a graph with odd cycles, or with vertices that may stay alone",
               [](const PieceObject& o) { return o.piece.general; })
          .add("of", "which graph's, where a ratio draws each sum for itself",
               [](const PieceObject& o) { return text_or_null(o.piece.of); })
          .add("sampler", "", [](const PieceObject& o) { return o.piece.sampler; })
          .add("samples", "predicted; null: the trials do not show it",
               [](const PieceObject& o) { return o.known() ? std::optional(o.piece.samples) : std::nullopt; })
          .add("seconds", "predicted; null: not known",
               [](const PieceObject& o) { return o.known() ? finite(o.piece.seconds) : std::nullopt; })
          .add("second", "the check by another sampler",
               [](const PieceObject& o) { return sample_check(o.piece.second, o.piece.second_samples); })
          .add("trials", "samples that this rests on", [](const PieceObject& o) { return o.piece.trials; })
          .add("effective_trials", "", [](const PieceObject& o) { return o.piece.effective_trials; })
          .add("pareto_k", "of the trials", [](const PieceObject& o) { return finite(o.piece.pareto_k); })
          .add("population", "as of an estimate's blocks",
               [](const PieceObject& o) { return o.piece.population; })
          .add("doubt", "that the trials by themselves would leave",
               [](const PieceObject& o) { return text_or_null(o.piece.doubt); })
          .add("obstacle", "why it would not be drawn; null: it would",
               [](const PieceObject& o) { return text_or_null(o.piece.obstacle); });
  return fields;
}

/// 0: not known.
std::optional<double> bytes_or_null(double bytes) {
  return bytes <= 0 ? std::nullopt : finite(bytes);
}

}  // namespace

const Fields<DrawMethod>& fields_of(const DrawMethod*) {
  static const auto fields =
      Fields<DrawMethod>()
          .add("method", "", &DrawMethod::method)
          .add("chosen", "", &DrawMethod::chosen)
          .add("seconds", "predicted for all draws; null: it cannot",
               [](const DrawMethod& method) {
                 const bool told = method.seconds > 0 || method.obstacle.empty();
                 return told ? finite(method.seconds) : std::nullopt;
               })
          .add("memory_bytes", "for what is kept; null: not known",
               [](const DrawMethod& method) { return bytes_or_null(method.bytes); })
          .add("measured", "by a trial here, else by what another machine took", &DrawMethod::measured)
          .add("obstacle", "why it cannot; null: it can",
               [](const DrawMethod& method) { return text_or_null(method.obstacle); });
  return fields;
}

const Fields<DrawPiece>& fields_of(const DrawPiece*) {
  static const auto fields =
      Fields<DrawPiece>()
          .add("rows", "", &DrawPiece::rows)
          .add("edges", "", &DrawPiece::entries)
          .add("general", "a graph with odd cycles, or with vertices that may stay alone",
               &DrawPiece::general)
          .add("methods", "all that there are", &DrawPiece::methods);
  return fields;
}

const Fields<ApproximateForecast>& fields_of(const ApproximateForecast*) {
  const auto if_it_can = [](double ApproximateForecast::*value) {
    return [value](const ApproximateForecast& forecast) {
      return forecast.obstacle.empty() ? finite(forecast.*value) : std::nullopt;
    };
  };
  static const auto fields =
      Fields<ApproximateForecast>()
          .add("sampler", "", &ApproximateForecast::sampler)
          .add("seconds", "null: it cannot", if_it_can(&ApproximateForecast::seconds))
          .add("trials", "draws that this rests on", &ApproximateForecast::trials)
          .add("total_variation", "by how much chances may be off", if_it_can(&ApproximateForecast::off))
          .add("doubt", "", [](const ApproximateForecast& forecast) { return text_or_null(forecast.doubt); })
          .add("obstacle", "",
               [](const ApproximateForecast& forecast) { return text_or_null(forecast.obstacle); });
  return fields;
}

OtherInput other_input(const InputInfo& input) {
  return {input.path, text_or_null(input.sha256)};
}

const Fields<SamplingForecast>& fields_of(const SamplingForecast*) {
  static const auto fields = with_notes(
      head<SamplingForecast>("sampling-forecast")
          .add("question", "`count`, `ratio`, `edge probabilities` or `comparison`",
               [](const SamplingForecast& forecast) { return words::question_name(forecast.question); })
          .add("ratio_to", "of a ratio, as there",
               [](const SamplingForecast& forecast) {
                 return forecast.other ? std::optional(other_input(*forecast.other)) : std::nullopt;
               })
          .add("goal", "in words; null of a comparison, and where nothing is drawn",
               [](const SamplingForecast& forecast) { return text_or_null(forecast.goal); })
          .add("counted",
               "all is counted exactly, so that nothing is drawn; of a comparison: there is an exact count",
               &SamplingForecast::counted)
          .add("count_seconds", "predicted for what is counted", &SamplingForecast::count_seconds)
          .add("pieces", "what would be sampled; of a comparison each of its estimates",
               [](const SamplingForecast& forecast) {
                 std::vector<PieceObject> pieces;
                 for (const PieceForecast& piece : forecast.pieces)
                   pieces.push_back({piece, forecast.question == SampledQuestion::comparison});
                 return pieces;
               })
          .add("doubt_means", "what a doubt would mean, in words",
               [](const SamplingForecast& forecast) { return words::doubt_text(forecast.question); })
          .add("seconds", "of all together; null: not known",
               [](const SamplingForecast& forecast) { return finite(forecast.seconds); })
          .add("time_limit_seconds", "null: none",
               [](const SamplingForecast& forecast) { return finite(forecast.time_limit_seconds); })
          .add("feasible",
               "within the time limit, which else ends the samples before the goal; of a comparison each "
               "estimate is",
               &SamplingForecast::feasible)
          .add("seed", "as for an estimate", &SamplingForecast::seed)
          .add("threads", "", &SamplingForecast::threads));
  return fields;
}

const Fields<DrawForecast>& fields_of(const DrawForecast*) {
  static const auto fields = with_notes(
      head<DrawForecast>("drawing-forecast")
          .constant("question", "", "random matchings")
          .add("draws", "as asked for", &DrawForecast::draws)
          .add("exact", "without `--sampler`",
               [](const DrawForecast& forecast) { return !forecast.asked_approximate; })
          .add("pieces", "what would be drawn by itself", &DrawForecast::pieces)
          .add("approximate", "draws by weighted samples, after some of them; null: exact draws are quick",
               &DrawForecast::approximate)
          .add("seconds", "of all together",
               [](const DrawForecast& forecast) { return finite(forecast.seconds); })
          .add("memory_bytes", "of the piece that takes most; null: not known",
               [](const DrawForecast& forecast) { return bytes_or_null(forecast.bytes); })
          .add("time_limit_seconds", "null: none",
               [](const DrawForecast& forecast) { return finite(forecast.time_limit_seconds); })
          .add("memory_limit_bytes", "", &DrawForecast::memory_limit_bytes)
          .add("feasible", "within both limits", &DrawForecast::feasible)
          .add("seed", "", &DrawForecast::seed)
          .add("threads", "", &DrawForecast::threads));
  return fields;
}

}  // namespace countpm
