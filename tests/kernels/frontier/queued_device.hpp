#pragma once
// A GPU on the CPU that does what it is asked for as late as waits and marks allow, or at random earlier:
// code that forgets to wait for something gets wrong values from it.
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/gpu/cpu_executor.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::testing {

/// Each object is a queue; all are one GPU. One test at a time has some.
class QueuedDevice {
  struct Queue;

 public:
  template <class T>
  using Buffer = CpuDevice::Buffer<T>;
  using HostBuffer = CpuDevice::HostBuffer;
  struct Mark {
    std::shared_ptr<Queue> queue;
    std::size_t asked = 0;
  };

  /// Of what is asked for, in how many of 256 cases some queue goes on, as far as chance has it; with 0 only
  /// a wait lets it.
  static inline unsigned eagerness = 0;
  static inline Random* random = nullptr;

  explicit QueuedDevice(const GpuInfo& gpu) : cpu_(gpu), queue_(std::make_shared<Queue>()) {
    queues().push_back(queue_.get());
  }
  ~QueuedDevice() { std::erase(queues(), queue_.get()); }
  QueuedDevice(const QueuedDevice&) = delete;
  QueuedDevice& operator=(const QueuedDevice&) = delete;

  const GpuInfo& gpu() const { return cpu_.gpu(); }
  template <class T>
  Buffer<T> allocate(std::size_t size) const {
    return cpu_.allocate<T>(size);
  }
  template <class T>
  Buffer<T> upload(const std::vector<T>& values) const {
    return cpu_.upload(values);
  }
  template <class T>
  void write(const Buffer<T>& to, const std::vector<T>& values) const {
    wait();
    cpu_.write(to, values);
  }
  template <class T>
  std::vector<T> download(const Buffer<T>& from, std::size_t size, std::size_t first = 0) const {
    wait();
    return cpu_.download(from, size, first);
  }
  template <class T>
  void copy_from(const QueuedDevice& other, const T* from, T* to, std::size_t size) const {
    ask([=, this, &other] { cpu_.copy_from(other.cpu_, from, to, size); });
  }
  HostBuffer allocate_on_host(std::size_t bytes) const { return cpu_.allocate_on_host(bytes); }
  void copy_from_host(const std::byte* from, std::byte* to, std::size_t bytes) const {
    ask([=, this] { cpu_.copy_from_host(from, to, bytes); });
  }
  void copy_to_host(const std::byte* from, std::byte* to, std::size_t bytes) const {
    ask([=, this] { cpu_.copy_to_host(from, to, bytes); });
  }
  Mark mark() const { return {queue_, queue_->asked}; }
  void come_after(const Mark& mark) const {
    if (mark.queue) ask([mark] { mark.queue->go_on(mark.asked); });
  }
  template <class Kernel>
  unsigned blocks(std::size_t shared_bytes) const {
    return cpu_.blocks<Kernel>(shared_bytes);
  }
  template <class Kernel>
  void launch(const Kernel& kernel, unsigned blocks, std::size_t shared_bytes) const {
    ask([=, this] { cpu_.launch(kernel, blocks, shared_bytes); });
  }
  void wait() const { queue_->go_on(queue_->asked); }

 private:
  struct Queue {
    std::deque<std::function<void()>> jobs;
    std::size_t asked = 0;
    std::size_t done = 0;

    void go_on(std::size_t until) {
      while (done < until) {
        const std::function<void()> job = std::move(jobs.front());
        jobs.pop_front();
        job();
        ++done;
      }
    }
  };

  static std::vector<Queue*>& queues() {
    static std::vector<Queue*> all;
    return all;
  }
  void ask(std::function<void()> job) const {
    queue_->jobs.push_back(std::move(job));
    ++queue_->asked;
    if (below(*random, 256) >= eagerness) return;
    Queue& some = *queues()[static_cast<std::size_t>(below(*random, queues().size()))];
    some.go_on(some.done + static_cast<std::size_t>(below(*random, some.asked - some.done + 1)));
  }

  CpuDevice cpu_;
  std::shared_ptr<Queue> queue_;
};

}  // namespace countpm::testing
