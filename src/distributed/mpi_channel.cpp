// The channel over MPI: a module that apps/ranks.cpp loads. All calls of MPI are made by the thread that
// loads it, so that MPI_THREAD_FUNNELED suffices.
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <list>
#include <utility>
#include <vector>

#include "src/distributed/mpi_module.hpp"

namespace countpm {
namespace {

class MpiChannel : public Channel {
 public:
  MpiChannel() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &local_rank_);
    MPI_Comm_size(host, &local_ranks_);
    share_cores(host);
    MPI_Comm_free(&host);
  }
  ~MpiChannel() override {
    for (Outgoing& outgoing : outgoing_) MPI_Wait(&outgoing.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  int local_rank() const override { return local_rank_; }
  int local_ranks() const override { return local_ranks_; }
  int local_cores() const override { return local_cores_; }

  void send(int to, std::string text) override {
    outgoing_.push_back({std::move(text), MPI_REQUEST_NULL});
    Outgoing& outgoing = outgoing_.back();
    MPI_Isend(outgoing.text.data(), static_cast<int>(outgoing.text.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD,
              &outgoing.request);
  }

  std::optional<Message> receive() override {
    forget_sent();
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(message.text.data(), size, MPI_CHAR, message.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

 private:
  /// mpirun binds two ranks of a host to a core each where nobody says otherwise: then each takes all again,
  /// and shares them evenly.
  void share_cores(MPI_Comm host) {
    cpu_set_t own;
    if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr &&
        std::getenv("OMPI_MCA_hwloc_base_binding_policy") == nullptr) {
      std::memset(&own, 0xff, sizeof own);
      sched_setaffinity(0, sizeof own, &own);
    }
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
    std::vector<cpu_set_t> all(static_cast<std::size_t>(local_ranks_));
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, host);
    double cores = 0;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (!CPU_ISSET(core, &own)) continue;
      int sharing = 0;
      for (const cpu_set_t& set : all) sharing += CPU_ISSET(core, &set) ? 1 : 0;
      cores += 1.0 / sharing;
    }
    local_cores_ = std::max(1, static_cast<int>(cores + 0.001));
  }

  struct Outgoing {
    std::string text;  // stays where it is until it is sent
    MPI_Request request;
  };

  void forget_sent() {
    while (!outgoing_.empty()) {
      int sent = 0;
      MPI_Test(&outgoing_.front().request, &sent, MPI_STATUS_IGNORE);
      if (sent == 0) return;
      outgoing_.pop_front();
    }
  }

  int rank_ = 0;
  int ranks_ = 1;
  int local_rank_ = 0;
  int local_ranks_ = 1;
  int local_cores_ = 1;
  std::list<Outgoing> outgoing_;
};

}  // namespace
}  // namespace countpm

extern "C" countpm::Channel* countpm_open_channel() {
  return new countpm::MpiChannel();
}
