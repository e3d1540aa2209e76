// What there is in this countpm, described for JSON: methods, rules, formats, lattices, and how it was built.
#include <array>

#include "apps/json.hpp"
#include "graph/formats/write_edge_list.hpp"
#include "graph/lattices/lattice.hpp"
#include "kernels/method.hpp"
#include "matching/rules.hpp"
#include "src/report/head.hpp"

namespace countpm::app {
namespace {

struct ProcessorObject {
  std::string architecture;
  std::vector<std::string> features;
};
const Fields<ProcessorObject>& fields_of(const ProcessorObject*) {
  static const auto fields = Fields<ProcessorObject>()
                                 .add("architecture", "", &ProcessorObject::architecture)
                                 .add("features", "that the inner loops use", &ProcessorObject::features);
  return fields;
}

struct MethodObject {
  const Method& method;
};
const Fields<MethodObject>& fields_of(const MethodObject*) {
  static const auto fields =
      Fields<MethodObject>()
          .add("name", "", [](const MethodObject& o) { return std::string(o.method.name()); })
          .add("summary", "", [](const MethodObject& o) { return std::string(o.method.summary()); })
          .add("complexity", "", [](const MethodObject& o) { return std::string(o.method.complexity()); })
          .add("reference", "", [](const MethodObject& o) { return std::string(o.method.reference()); })
          .add("work_name", "", [](const MethodObject& o) { return std::string(o.method.work_name()); });
  return fields;
}

struct RuleObject {
  const RuleInfo& rule;
};
const Fields<RuleObject>& fields_of(const RuleObject*) {
  static const auto fields =
      Fields<RuleObject>()
          .add("name", "", [](const RuleObject& o) { return std::string(o.rule.name); })
          .add("number", "", [](const RuleObject& o) { return o.rule.number; })
          .add("help", "", [](const RuleObject& o) { return std::string(o.rule.help); });
  return fields;
}

struct SettingObject {
  const SettingInfo& setting;
};
const Fields<SettingObject>& fields_of(const SettingObject*) {
  static const auto fields =
      Fields<SettingObject>()
          .add("name", "", [](const SettingObject& o) { return std::string(o.setting.name); })
          .add("values", "in words", [](const SettingObject& o) { return values_text(o.setting); })
          .add("default", "in words", [](const SettingObject& o) { return std::string(o.setting.usual); })
          .add("methods", "that have it; empty: all",
               [](const SettingObject& o) {
                 return std::vector<std::string>(o.setting.methods.begin(), o.setting.methods.end());
               })
          .add("gpu", "it takes `--device gpu`", [](const SettingObject& o) { return o.setting.of_gpus; })
          .add("help", "", [](const SettingObject& o) { return std::string(o.setting.help); })
          .add("source", "who varied it",
               [](const SettingObject& o) { return std::string(o.setting.source); });
  return fields;
}

struct FormatObject {
  const FormatInfo& format;
};
const Fields<FormatObject>& fields_of(const FormatObject*) {
  static const auto fields =
      Fields<FormatObject>()
          .add("name", "", [](const FormatObject& o) { return std::string(o.format.name); })
          .add("endings", "",
               [](const FormatObject& o) {
                 return std::vector<std::string>(o.format.endings.begin(), o.format.endings.end());
               })
          .add("help", "", [](const FormatObject& o) { return std::string(o.format.help); });
  return fields;
}

struct ShapeObject {
  const LatticeShape& shape;
};
const Fields<ShapeObject>& fields_of(const ShapeObject*) {
  static const auto fields =
      Fields<ShapeObject>()
          .add("name", "", [](const ShapeObject& o) { return std::string(o.shape.name); })
          .add("sizes", "how they are written",
               [](const ShapeObject& o) { return std::string(o.shape.sizes); })
          .add("directions", "of the edges, in the order of `weights=`; empty where weights are of all",
               [](const ShapeObject& o) { return std::string(o.shape.directions); })
          .add("label", "of the first vertex",
               [](const ShapeObject& o) { return std::string(o.shape.label); })
          .add("help", "", [](const ShapeObject& o) { return std::string(o.shape.help); });
  return fields;
}

}  // namespace

const Fields<VersionObject>& fields_of(const VersionObject*) {
  static const auto fields =
      bare_head<VersionObject>("version")
          .add("commit", "`-modified` after it: files had changed since; null: unknown",
               [](const VersionObject& o) { return text_or_null(o.commit); })
          .add("date", "of the commit", [](const VersionObject& o) { return text_or_null(o.date); })
          .add("compiler", "", &VersionObject::compiler)
          .add("cuda", "built in", &VersionObject::cuda)
          .add("mpi", "built in", &VersionObject::mpi)
          .add("processor", "",
               [](const VersionObject& o) {
                 return ProcessorObject{o.architecture, o.features};
               })
          .add("libraries", "their versions", &VersionObject::libraries);
  return fields;
}

const Fields<MethodsObject>& fields_of(const MethodsObject*) {
  static const auto fields =
      bare_head<MethodsObject>("methods")
          .add("methods", "",
               [](const MethodsObject&) {
                 std::vector<MethodObject> objects;
                 for (const Method* method : exact_methods()) objects.push_back({*method});
                 return objects;
               })
          .add("rules", "reductions",
               [](const MethodsObject&) {
                 std::vector<RuleObject> objects;
                 for (const RuleInfo& rule : rules()) objects.push_back({rule});
                 return objects;
               })
          .add("settings", "what `--set` takes ([settings.md](settings.md))", [](const MethodsObject&) {
            std::vector<SettingObject> objects;
            for (const SettingInfo& one : settings()) objects.push_back({one});
            return objects;
          });
  return fields;
}

const Fields<FormatsObject>& fields_of(const FormatsObject*) {
  static const auto fields =
      bare_head<FormatsObject>("formats").add("formats", "of input", [](const FormatsObject&) {
        std::vector<FormatObject> objects;
        for (const FormatInfo& format : formats()) objects.push_back({format});
        return objects;
      });
  return fields;
}

const Fields<LatticeObject>& fields_of(const LatticeObject*) {
  static const auto fields =
      bare_head<LatticeObject>("lattice")
          .add("lattice", "as it was asked for", [](const LatticeObject& o) { return o.spec; })
          .add("kind", "`undirected`",
               [](const LatticeObject& o) { return std::string(name_of(o.graph.kind)); })
          .add("labels", "of the vertices, in their order",
               [](const LatticeObject& o) {
                 std::vector<std::string> labels;
                 for (Index v = 0; v < o.graph.left_labels.size(); ++v)
                   labels.push_back(o.graph.left_labels.label(v));
                 return labels;
               })
          .add("ends", "of the edges: two labels each",
               [](const LatticeObject& o) {
                 std::vector<std::array<std::string, 2>> ends;
                 for (const Edge& edge : o.graph.edges)
                   ends.push_back({o.graph.left_labels.label(edge.from), o.graph.left_labels.label(edge.to)});
                 return ends;
               })
          .add("weights", "of the edges, beside `ends`; null without `weights=`",
               [](const LatticeObject& o) -> std::optional<std::vector<std::string>> {
                 if (o.graph.weight_kind == WeightKind::none) return std::nullopt;
                 std::vector<std::string> weights;
                 for (std::size_t e = 0; e < o.graph.edges.size(); ++e)
                   weights.push_back(weight_text(o.graph, e));
                 return weights;
               });
  return fields;
}

const Fields<LatticesObject>& fields_of(const LatticesObject*) {
  static const auto fields =
      bare_head<LatticesObject>("lattices").add("lattices", "", [](const LatticesObject&) {
        std::vector<ShapeObject> objects;
        for (const LatticeShape& shape : lattice_shapes()) objects.push_back({shape});
        return objects;
      });
  return fields;
}

const Fields<CertainBoundsObject>& fields_of(const CertainBoundsObject*) {
  using Object = CertainBoundsObject;
  static const auto fields =
      bare_head<Object>("certain-bounds")
          .add("input", "the file or the lattice", &Object::input)
          .add("lower", "the count is not below it, as in `bounds`",
               [](const Object& o) { return o.bounds.lower; })
          .add("upper", "and not above this", [](const Object& o) { return o.bounds.upper; })
          .add("bounds", "the theorems' own numbers, as logarithms; they are those of the largest block",
               [](const Object& o) -> const BoundsReport& { return o.bounds; });
  return fields;
}

}  // namespace countpm::app
