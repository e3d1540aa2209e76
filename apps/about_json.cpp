// What there is in this countpm, described for JSON: methods, rules, formats, and how it was built.
#include "apps/json.hpp"
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
  static const auto fields = bare_head<MethodsObject>("methods")
                                 .add("methods", "",
                                      [](const MethodsObject&) {
                                        std::vector<MethodObject> objects;
                                        for (const Method* method : exact_methods())
                                          objects.push_back({*method});
                                        return objects;
                                      })
                                 .add("rules", "reductions",
                                      [](const MethodsObject&) {
                                        std::vector<RuleObject> objects;
                                        for (const RuleInfo& rule : rules()) objects.push_back({rule});
                                        return objects;
                                      })
                                 .add("formats", "of input", [](const MethodsObject&) {
                                   std::vector<FormatObject> objects;
                                   for (const FormatInfo& format : formats()) objects.push_back({format});
                                   return objects;
                                 });
  return fields;
}

}  // namespace countpm::app
