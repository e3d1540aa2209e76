// The channel over MPI: a module that apps/ranks.cpp loads. All calls of MPI are made by the thread that
// loads it, so that MPI_THREAD_FUNNELED suffices.
//
// Where MPI has user-level failure mitigation (Open MPI 5) and mpirun was told to use it (--with-ft ulfm), a
// rank that dies makes calls return an error, and the others go on; elsewhere MPI ends the job. W. Bland et
// al., Post-failure recovery of MPI communication capability, IJHPCA 27 (2013) 244-254.
#include <mpi.h>
#include <sched.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <list>
#include <utility>
#include <vector>

#include "graph/clock.hpp"
#include "src/distributed/mpi_module.hpp"
#include "src/distributed/protocol.hpp"

namespace countpm {
namespace {

#if defined(OMPI_HAVE_MPI_EXT_FTMPI) && defined(OMPI_HAVE_MPIX_COMM_ACK_FAILED)

/// Whether ranks may die and the others go on.
bool mitigates() {
  void* value = nullptr;
  int there = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPIX_FT, static_cast<void*>(&value), &there);
  return there != 0 && value != nullptr && *static_cast<int*>(value) != 0;
}

bool is_about_losses(int error) {
  int kind = MPI_SUCCESS;
  MPI_Error_class(error, &kind);
  return kind == MPIX_ERR_PROC_FAILED || kind == MPIX_ERR_PROC_FAILED_PENDING || kind == MPIX_ERR_REVOKED;
}

/// Those that have failed; calls that could have been theirs work again.
MPI_Group acknowledged_losses(MPI_Comm ranks) {
  int size = 0;
  int acknowledged = 0;
  MPI_Comm_size(ranks, &size);
  MPIX_Comm_ack_failed(ranks, size, &acknowledged);
  MPI_Group failed = MPI_GROUP_NULL;
  MPIX_Comm_get_failed(ranks, &failed);
  return failed;
}

/// Whether what all ranks did together, over `used`, went well on each: the same answer on all that are left.
bool went_well(MPI_Comm ranks, MPI_Comm used, bool here) {
  // Others may wait there for one that has given up.
  if (!here) MPIX_Comm_revoke(used);
  int all = here ? 1 : 0;
  // An error says that there are losses; what is agreed on is agreed on all the same.
  MPIX_Comm_agree(ranks, &all);
  return all != 0;
}

/// Without those that have failed. All that are left call it.
MPI_Comm without_losses(MPI_Comm ranks) {
  MPI_Comm left = MPI_COMM_NULL;
  if (MPIX_Comm_shrink(ranks, &left) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_set_errhandler(left, MPI_ERRORS_RETURN);
  return left;
}

#else

bool mitigates() {
  return false;
}
bool is_about_losses(int /*error*/) {
  return false;
}
MPI_Group acknowledged_losses(MPI_Comm /*ranks*/) {
  return MPI_GROUP_EMPTY;
}
bool went_well(MPI_Comm /*ranks*/, MPI_Comm /*used*/, bool here) {
  return here;
}
MPI_Comm without_losses(MPI_Comm ranks) {
  return ranks;
}

#endif

// Calls tell of losses by themselves; where messages never cease, this often nobody waits for that.
constexpr double look_for_losses_every = 0.25;

class MpiChannel : public Channel {
 public:
  MpiChannel() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    lost_.assign(static_cast<std::size_t>(ranks_), false);
    mitigates_ = mitigates();
    if (mitigates_) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    // Where a rank dies meanwhile all begin again without it.
    while (!set_up()) world_ = without_losses(world_);
    number_ranks();
  }
  /// All has been said, or is to ranks that are gone. After a loss, Open MPI 5.0.11's MPI_Finalize may wait
  /// for ever (one of five such ends, 2026-11-27), and not every rank may have heard of one; a program that
  /// ends without it is fine by `mpirun --with-ft ulfm`, which returns 0.
  ~MpiChannel() override {
    for (Outgoing& outgoing : outgoing_) MPI_Wait(&outgoing.request, MPI_STATUS_IGNORE);
    if (!mitigates_) MPI_Finalize();
  }
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  int local_rank() const override { return local_rank_; }
  int local_ranks() const override { return local_ranks_; }
  int local_cores() const override { return local_cores_; }

  bool lost(int rank) const override { return lost_[static_cast<std::size_t>(rank)]; }
  int lost_ranks() const override { return lost_ranks_.load(); }

  void send(int to, std::string text) override {
    if (lost(to)) return;
    outgoing_.push_back({std::move(text), MPI_REQUEST_NULL});
    Outgoing& outgoing = outgoing_.back();
    const int sent = MPI_Isend(outgoing.text.data(), static_cast<int>(outgoing.text.size()), MPI_CHAR,
                               number_in_world_[static_cast<std::size_t>(to)], 0, world_, &outgoing.request);
    if (!worked(sent)) outgoing_.pop_back();
  }

  std::optional<Message> receive() override {
    forget_sent();
    if (mitigates_ && seconds_now() - looked_at_ > look_for_losses_every) look_for_losses();
    int there = 0;
    MPI_Status status;
    const bool heard = worked(MPI_Iprobe(MPI_ANY_SOURCE, 0, world_, &there, &status));
    if (lost(0)) return Message{0, protocol::message("end")};
    if (!heard || there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    const int source = status.MPI_SOURCE;
    Message message{rank_of_number_[static_cast<std::size_t>(source)],
                    std::string(static_cast<std::size_t>(size), '\0')};
    const int received = MPI_Recv(message.text.data(), size, MPI_CHAR, source, 0, world_, MPI_STATUS_IGNORE);
    if (!worked(received) || lost(message.from)) return std::nullopt;
    return message;
  }

 private:
  /// Whether the call did what it is for. Where it did not, that is because of ranks that are gone: anything
  /// else ends the job.
  bool did_it(int error) const {
    if (error == MPI_SUCCESS) return true;
    if (!mitigates_ || !is_about_losses(error)) MPI_Abort(MPI_COMM_WORLD, 1);
    return false;
  }

  /// The same, and those that are gone are lost from now on.
  bool worked(int error) {
    const bool well = did_it(error);
    if (!well) look_for_losses();
    return well;
  }

  bool all_did_it(MPI_Comm used, bool here) const {
    return mitigates_ ? went_well(world_, used, here) : here;
  }

  void look_for_losses() {
    looked_at_ = seconds_now();
    MPI_Group failed = acknowledged_losses(world_);
    MPI_Group all = MPI_GROUP_NULL;
    int many = 0;
    MPI_Group_size(failed, &many);
    MPI_Comm_group(world_, &all);
    for (int k = 0; k < many; ++k) {
      int number = 0;
      MPI_Group_translate_ranks(failed, 1, &k, all, &number);
      lose(rank_of_number_[static_cast<std::size_t>(number)]);
    }
    MPI_Group_free(&all);
    if (many > 0) MPI_Group_free(&failed);
  }

  void lose(int rank) {
    if (lost(rank)) return;
    lost_[static_cast<std::size_t>(rank)] = true;
    lost_ranks_.fetch_add(1);
  }

  /// What all ranks do together. False on all of them: one is gone.
  bool set_up() {
    MPI_Comm host = MPI_COMM_NULL;
    const bool split = did_it(MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host));
    if (!all_did_it(world_, split)) return false;
    MPI_Comm_rank(host, &local_rank_);
    MPI_Comm_size(host, &local_ranks_);
    const bool shared = all_did_it(host, share_cores(host));
    MPI_Comm_free(&host);
    return shared;
  }

  /// The others keep the numbers that they had before any was lost.
  void number_ranks() {
    int left = 0;
    MPI_Comm_size(world_, &left);
    rank_of_number_.assign(static_cast<std::size_t>(left), 0);
    number_in_world_.assign(static_cast<std::size_t>(ranks_), MPI_PROC_NULL);
    MPI_Group own = MPI_GROUP_NULL;
    MPI_Group started = MPI_GROUP_NULL;
    MPI_Comm_group(world_, &own);
    MPI_Comm_group(MPI_COMM_WORLD, &started);
    for (int number = 0; number < left; ++number) {
      int rank = 0;
      MPI_Group_translate_ranks(own, 1, &number, started, &rank);
      rank_of_number_[static_cast<std::size_t>(number)] = rank;
      number_in_world_[static_cast<std::size_t>(rank)] = number;
    }
    MPI_Group_free(&own);
    MPI_Group_free(&started);
    for (int rank = 0; rank < ranks_; ++rank) {
      if (number_in_world_[static_cast<std::size_t>(rank)] == MPI_PROC_NULL) lose(rank);
    }
  }

  /// mpirun binds two ranks of a host to a core each where nobody says otherwise: then each takes all again,
  /// and shares them evenly.
  bool share_cores(MPI_Comm host) {
    cpu_set_t own;
    if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr &&
        std::getenv("OMPI_MCA_hwloc_base_binding_policy") == nullptr) {
      std::memset(&own, 0xff, sizeof own);
      sched_setaffinity(0, sizeof own, &own);
    }
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
    std::vector<cpu_set_t> all(static_cast<std::size_t>(local_ranks_));
    if (!did_it(MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, host)))
      return false;
    double cores = 0;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (!CPU_ISSET(core, &own)) continue;
      int sharing = 0;
      for (const cpu_set_t& set : all) sharing += CPU_ISSET(core, &set) ? 1 : 0;
      cores += 1.0 / sharing;
    }
    local_cores_ = std::max(1, static_cast<int>(cores + 0.001));
    return true;
  }

  struct Outgoing {
    std::string text;  // stays where it is until it is sent
    MPI_Request request;
  };

  void forget_sent() {
    while (!outgoing_.empty()) {
      int sent = 0;
      const bool goes_well = worked(MPI_Test(&outgoing_.front().request, &sent, MPI_STATUS_IGNORE));
      if (goes_well && sent == 0) return;
      outgoing_.pop_front();
    }
  }

  int rank_ = 0;
  int ranks_ = 1;
  int local_rank_ = 0;
  int local_ranks_ = 1;
  int local_cores_ = 1;
  MPI_Comm world_ = MPI_COMM_WORLD;
  bool mitigates_ = false;
  double looked_at_ = 0;
  std::vector<int> rank_of_number_;   // of those in world_: their number when the job began
  std::vector<int> number_in_world_;  // and back
  std::vector<bool> lost_;
  std::atomic<int> lost_ranks_{0};
  std::list<Outgoing> outgoing_;
};

}  // namespace
}  // namespace countpm

extern "C" countpm::Channel* countpm_open_channel() {
  return new countpm::MpiChannel();
}
