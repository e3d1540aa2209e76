// Audits: units run again on another path, and what happens where one of them lies.
#include "src/checks/audit.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "graph/errors.hpp"
#include "src/checks/other_path.hpp"
#include "src/units/ledger.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t prime = 1000003;  // 1000033 and 1000037 are prime, too

/// A unit is worth its number plus one; from `wrong` on that plus `by`.
class Numbers : public Job, public Repeatable {
 public:
  Numbers(std::uint64_t units, Arithmetic arithmetic, std::uint64_t wrong, std::uint64_t by, bool has_other)
      : units_(units), arithmetic_(std::move(arithmetic)), wrong_(wrong), by_(by), has_other_(has_other) {}
  std::uint64_t units() const override { return units_; }
  Partial run(std::uint64_t unit, const StopSignal&) const override {
    Residues value;
    for (const Modulus& modulus : arithmetic_.moduli)
      value.residue.push_back((unit + 1 + (unit == wrong_ ? by_ : 0)) % modulus.prime);
    return value;
  }
  double log2_work() const override { return 20; }
  double nominal_rate() const override { return 1e9; }
  double measured_rate(double) const override { return 1e9; }
  std::uint64_t bytes_per_thread() const override { return 0; }
  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    if (!has_other_) return nullptr;
    return std::make_unique<Numbers>(units_, arithmetic, ~std::uint64_t{0}, 0, true);
  }

 private:
  std::uint64_t units_;
  Arithmetic arithmetic_;
  std::uint64_t wrong_;
  std::uint64_t by_;
  bool has_other_;
};

struct Audited {
  std::vector<PlannedBlock> planned;
  std::vector<std::unique_ptr<Ledger>> ledgers;
  std::vector<Ledger*> pointers;
};

/// Counted by a job with a wrong unit; of which the other path, where there is one, knows nothing.
Audited counted(std::uint64_t units, std::size_t moduli, std::uint64_t wrong, bool has_other) {
  Audited result;
  ReducedBlock reduced;
  reduced.reduced.emplace_back(Block<std::int64_t>());
  result.planned.emplace_back(std::move(reduced));
  BlockPlan plan;
  plan.method = &method_named("ryser");
  plan.choice.arithmetic.moduli = {{prime, 0}, {prime + 30, 0}, {prime + 34, 0}};
  plan.choice.arithmetic.moduli.resize(moduli);
  plan.job = std::make_unique<Numbers>(units, plan.choice.arithmetic, wrong, 1, has_other);
  plan.seconds = 1;
  result.planned.back().plans.push_back(std::move(plan));
  result.ledgers = memory_ledgers(result.planned);
  result.pointers = {result.ledgers.front().get()};
  const BlockPlan& made = result.planned.back().plans.front();
  StopSignal stop;
  for (std::uint64_t unit = 0; unit < units; ++unit)
    result.ledgers.front()->add({{unit, unit + 1}, made.job->run(unit, stop), 0.001});
  return result;
}

AuditReport audit(const Audited& audited, double share, Checks& checks, std::uint64_t seed = 1) {
  const CountOptions options;
  Monitor monitor(options);
  Resources resources;
  resources.threads = 2;
  return audit_units(audited.planned, audited.pointers, share, seed, resources, monitor, checks);
}

constexpr std::uint64_t none = ~std::uint64_t{0};

TEST(Audit, RunsTheShareAgainAndSaysHow) {
  for (const double share : {0.001, 0.01, 0.3, 1.0}) {
    const Audited audited = counted(5000, 2, none, true);
    Checks checks;
    const AuditReport report = audit(audited, share, checks, 7);
    EXPECT_GE(static_cast<double>(report.units), share * 5000);
    EXPECT_LE(static_cast<double>(report.units), share * 5000 + 10);  // a stretch has ten units
    EXPECT_EQ(report.of, 5000U);
    EXPECT_NEAR(report.work, static_cast<double>(report.units) / 5000, 1e-9);
    EXPECT_EQ(report.seed, 7U);
    EXPECT_EQ(report.how, std::vector<std::string>{"ryser one modulus at a time"});
    ASSERT_EQ(checks.list().size(), 1U);
    EXPECT_TRUE(checks.list().front().ran);
  }
}

TEST(Audit, AWrongUnitIsNamedWithBothValues) {
  const Audited audited = counted(3000, 3, 1233, true);
  Checks checks;
  try {
    audit(audited, 1, checks);
    FAIL();
  } catch (const CheckError& error) {
    const std::string text = error.what();
    for (const char* words : {"unit 1234 of 3000", "0x4d3 modulo 1000003", "0x4d2 modulo 1000003",
                              "ryser one modulus at a time", "no count is given"})
      EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  EXPECT_TRUE(checks.list().empty());
}

TEST(Audit, ASmallShareFindsAWrongUnitAboutAsOften) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Audited audited = counted(600, 2, 100, true);
    Checks checks;
    try {
      audit(audited, 0.5, checks, seed);
    } catch (const CheckError&) {
      ++found;
    }
  }
  EXPECT_GT(found, 3);
  EXPECT_LT(found, 17);
}

/// What the machine did wrong once and does right now.
TEST(Audit, APassingFaultIsFoundWithoutAnotherPath) {
  const Audited audited = counted(10, 1, none, false);
  Audited faulty = counted(10, 1, none, false);
  faulty.ledgers.front() = std::make_unique<Ledger>(10, audited.planned[0].plans[0].choice.arithmetic);
  faulty.pointers = {faulty.ledgers.front().get()};
  for (std::uint64_t unit = 0; unit < 10; ++unit)
    faulty.ledgers.front()->add({{unit, unit + 1}, Residues{{unit + (unit == 4 ? 2U : 1U)}}, 0});
  Checks checks;
  EXPECT_EQ(audit(audited, 1, checks).how,
            std::vector<std::string>{"ryser by the same code, as it has no other here"});
  try {
    audit(faulty, 1, checks);
    FAIL();
  } catch (const CheckError& error) {
    EXPECT_NE(std::string(error.what()).find("both paths agree"), std::string::npos) << error.what();
  }
}

TEST(OtherPath, HasTheSameUnitsModuloWhatItIsAskedFor) {
  const Audited audited = counted(20, 3, 5, true);  // of its own job unit 6 is wrong
  const BlockPlan& plan = audited.planned[0].plans[0];
  const CountOptions options;
  const Monitor monitor(options);
  const auto residues = [](const Partial& value) { return std::get<Residues>(value).residue; };
  const auto sum = [](std::uint64_t value) { return std::vector<uint128>{value, value, value}; };
  EXPECT_EQ(residues(same_path(plan).sum({4, 7}, monitor)), sum(5 + 7 + 7));
  std::vector<Arithmetic> alone(3, plan.choice.arithmetic);
  for (std::size_t k = 0; k < 3; ++k) alone[k].moduli = {plan.choice.arithmetic.moduli[k]};
  EXPECT_EQ(residues(path_over(plan, alone).sum({4, 7}, monitor)), sum(5 + 6 + 7));
  EXPECT_EQ(residues(path_over(plan, {alone[1]}).sum({0, 20}, monitor)), std::vector<uint128>{210});
  const OtherPath two{{alone[0], alone[1]},
                      {std::make_shared<Numbers>(20, alone[0], none, 0, true),
                       std::make_shared<Numbers>(20, alone[1], 3, 10, true)}};
  EXPECT_EQ(residues(two.sum({3, 4}, monitor)), (std::vector<uint128>{4, 14}));
  EXPECT_TRUE(path_over(counted(20, 3, none, false).planned[0].plans[0], alone).jobs.empty());
}

/// A job whose other path has other units is no other path.
TEST(OtherPath, OtherUnitsAreNone) {
  class Shorter : public Numbers {
   public:
    using Numbers::Numbers;
    std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
      return std::make_unique<Numbers>(units() - 1, arithmetic, none, 0, true);
    }
  };
  Audited audited = counted(20, 2, none, true);
  BlockPlan& plan = audited.planned[0].plans[0];
  plan.job = std::make_unique<Shorter>(20, plan.choice.arithmetic, none, 0, true);
  EXPECT_TRUE(path_over(plan, {plan.choice.arithmetic}).jobs.empty());
}

TEST(OtherPath, AStopIsExplained) {
  const Audited audited = counted(20, 1, none, true);
  std::atomic<bool> interrupted{false};
  CountOptions options;
  options.interrupted = [&] { return interrupted.load(); };
  Monitor monitor(options);
  class Endless : public Numbers {
   public:
    using Numbers::Numbers;
    Partial run(std::uint64_t, const StopSignal& stop) const override {
      while (true) stop.check();
    }
  };
  const Arithmetic& arithmetic = audited.planned[0].plans[0].choice.arithmetic;
  const OtherPath path{{arithmetic}, {std::make_shared<Endless>(20, arithmetic, none, 0, true)}};
  interrupted = true;
  EXPECT_THROW(path.sum({0, 1}, monitor), InterruptedError);
}

TEST(Audit, WithoutUnitsIsSaid) {
  Checks checks;
  EXPECT_EQ(audit({}, 0.5, checks).of, 0U);
  ASSERT_EQ(checks.list().size(), 1U);
  EXPECT_FALSE(checks.list().front().ran);
}

}  // namespace
}  // namespace countpm
