#include "graph/formats/input_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <system_error>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/formats/open_error.hpp"
#include "graph/stop_signal.hpp"

namespace countpm {
namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 18U;
// Of gzip, and before that is known: it may inflate to a thousand times as much.
constexpr std::size_t gzip_chunk_size = std::size_t{1} << 14U;
constexpr std::size_t head_size = std::size_t{1} << 20U;
// More than that no address names, where addresses have 32 bits.
constexpr std::uint64_t largest_buffer = std::numeric_limits<std::size_t>::max() / 2;

std::atomic<std::uint64_t>& largest_mapping() {
  static std::atomic<std::uint64_t> bytes{std::numeric_limits<std::uint64_t>::max()};
  return bytes;
}

std::string error_text(int error) {
  return std::generic_category().message(error);
}

}  // namespace

void set_largest_mapping(std::uint64_t bytes) {
  largest_mapping().store(bytes);
}

struct InputBytes::Inflater {
  z_stream stream{};
  bool in_member = true;
  std::uint64_t members_end = 0;  // stored bytes up to the end of the last whole member

  Inflater() {
    // 15 + 16: the largest window, gzip headers only.
    if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

InputBytes::InputBytes(const Source& source, bool hash) : name_(source.name) {
  if (hash) hasher_ = std::make_unique<Sha256>();
  switch (source.kind) {
    case Source::Kind::memory:
      stored_ = source.bytes;
      whole_ = true;
      break;
    case Source::Kind::standard_input:
      descriptor_ = STDIN_FILENO;
      break;
    default:
      open_file();
  }
}

InputBytes::~InputBytes() {
  if (mapped_) munmap(const_cast<char*>(stored_.data()), stored_.size());
  if (owns_descriptor_) close(descriptor_);
}

void InputBytes::open_file() {
  if (name_.find('\0') != std::string::npos) throw InputError(name_, 0, "a file", "a name with a NUL byte");
  // Opening a FIFO waits for who writes to it, and looks at nothing meanwhile: await() waits instead.
  descriptor_ = open(name_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor_ < 0) throw OpenError(name_, error_text(errno));
  owns_descriptor_ = true;
  struct stat status {};
  const char* problem = nullptr;
  std::string reason;
  if (fstat(descriptor_, &status) != 0) {
    reason = error_text(errno);
    problem = reason.c_str();
  } else if (S_ISDIR(status.st_mode)) {
    problem = "Is a directory";
  }
  if (problem != nullptr) {
    close(descriptor_);
    owns_descriptor_ = false;
    throw OpenError(name_, problem);
  }
  fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK);
  awaits_writer_ = S_ISFIFO(status.st_mode);
  if (S_ISREG(status.st_mode) && status.st_size > 0) map(static_cast<std::uint64_t>(status.st_size));
}

void InputBytes::map(std::uint64_t size) {
  if (size > largest_mapping().load() || size > largest_buffer) {
    expected_size_ = size;
    return;
  }
  const auto bytes = static_cast<std::size_t>(size);
  void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (memory == MAP_FAILED) return;  // some file systems cannot: read() does it then
  madvise(memory, bytes, MADV_SEQUENTIAL);
  stored_ = std::string_view(static_cast<const char*>(memory), bytes);
  whole_ = mapped_ = true;
}

void InputBytes::limit_wait(double seconds) {
  wait_seconds_ = seconds;
  wait_end_ = seconds_now() + seconds;
}

/// A pipe may let one wait for ever: the stop signal and the limit are looked at meanwhile.
void InputBytes::await() {
  constexpr int patience_ms = 50;
  const bool watched = current_stop_signal() != nullptr || !std::isinf(wait_end_);
  if (!watched && !awaits_writer_) return;  // read() waits
  for (pollfd waiting{descriptor_, POLLIN, 0};;) {
    const int ready = poll(&waiting, 1, watched ? patience_ms : -1);
    check_stop();
    if (seconds_now() > wait_end_)
      throw UnableError(
          fmt::format("the time limit of {} s is over while reading {}", wait_seconds_, quoted(name_, 400)),
          "try a longer --time-limit");
    if (ready > 0 || (ready < 0 && errno != EINTR)) break;
  }
  awaits_writer_ = false;
}

bool InputBytes::fetch() {
  check_stop();
  if (whole_) {
    chunk_ = stored_.substr(fetched_, gzip_ || !started_ ? gzip_chunk_size : std::string_view::npos);
  } else {
    chunk_memory_.resize(gzip_ || fetched_ == 0 ? gzip_chunk_size : chunk_size);
    await();
    const ssize_t got = read(descriptor_, chunk_memory_.data(), chunk_memory_.size());
    if (got < 0 && errno == EINTR) throw InterruptedError("interrupted while reading " + quoted(name_, 400));
    if (got < 0) throw InputError(name_, 0, "readable input", error_text(errno));
    chunk_ = std::string_view(chunk_memory_.data(), static_cast<std::size_t>(got));
  }
  fetched_ += chunk_.size();
  if (hasher_) hasher_->update(chunk_);
  return !chunk_.empty();
}

void InputBytes::start() {
  started_ = true;
  std::string first;
  // A pipe may hand over a single byte at first; the magic takes two.
  if (!whole_) {
    while (first.size() < 2 && fetch()) first.append(chunk_);
    chunk_memory_ = first;
    chunk_ = chunk_memory_;
  }
  const std::string_view start = whole_ ? stored_ : chunk_;
  gzip_ = start.starts_with("\x1f\x8b");
  if (gzip_) inflater_ = std::make_unique<Inflater>();
  if (whole_) return;
  // In one piece, and room to find its end in.
  if (!gzip_ && expected_size_ > 0) {
    if (expected_size_ > largest_buffer) throw std::bad_alloc();
    room(static_cast<std::size_t>(expected_size_) + chunk_size);
  }
  if (chunk_.empty()) {
    ended_ = true;
  } else if (gzip_) {
    inflate_chunk();
  } else {
    append(chunk_.data(), chunk_.size());
  }
}

char* InputBytes::room(std::size_t size) {
  if (buffer_capacity_ - buffer_size_ < size) {
    const std::size_t needed = buffer_size_ + size;
    // Near the memory's end there may be room for what is needed, though not for twice as much.
    if (!grow_to(std::max(buffer_capacity_ * 2, needed)) && !grow_to(needed)) throw std::bad_alloc();
  }
  return buffer_.get() + buffer_size_;
}

bool InputBytes::grow_to(std::size_t capacity) {
  void* const moved = std::realloc(buffer_.get(), capacity);
  if (moved == nullptr) return false;
  static_cast<void>(buffer_.release());
  buffer_.reset(static_cast<char*>(moved));
  buffer_capacity_ = capacity;
  return true;
}

void InputBytes::append(const char* data, std::size_t size) {
  std::memcpy(room(size), data, size);
  buffer_size_ += size;
}

void InputBytes::inflate_chunk() {
  z_stream& stream = inflater_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(chunk_.data()));
  stream.avail_in = static_cast<uInt>(chunk_.size());
  while (stream.avail_in > 0 || inflater_->in_member) {
    check_stop();
    if (!inflater_->in_member) {
      // Between members: another one, or zeros as padding (tape blocks), nothing else.
      if (*stream.next_in == 0) {
        ++stream.next_in;
        --stream.avail_in;
        continue;
      }
      if (*stream.next_in != 0x1f)
        throw InputError(name_, 0, "another gzip member or the end", "other bytes after gzip data");
      inflateReset(&stream);
      inflater_->in_member = true;
    }
    stream.next_out = reinterpret_cast<Bytef*>(room(chunk_size));
    stream.avail_out = static_cast<uInt>(chunk_size);
    const int status = inflate(&stream, Z_NO_FLUSH);
    buffer_size_ += chunk_size - stream.avail_out;
    if (status == Z_STREAM_END) {
      inflater_->in_member = false;
    } else if (status == Z_BUF_ERROR || (status == Z_OK && stream.avail_in == 0 && stream.avail_out > 0)) {
      return;  // needs the next chunk
    } else if (status != Z_OK) {
      throw InputError(name_, 0, "sound gzip data",
                       fmt::format("damage after {} bytes of text ({})", buffer_size_,
                                   stream.msg == nullptr ? "broken stream" : stream.msg));
    }
  }
}

bool InputBytes::pump() {
  if (!started_) {
    start();
    if (!whole_) return !ended_;
  }
  if (ended_) return false;
  if (!fetch()) {
    ended_ = true;
    if (gzip_ && inflater_->in_member) {
      throw InputError(name_, 0, "a complete gzip file",
                       fmt::format("its end after {} stored bytes", fetched_));
    }
    return false;
  }
  if (gzip_) {
    inflate_chunk();
  } else {
    append(chunk_.data(), chunk_.size());
  }
  return true;
}

std::string_view InputBytes::head() {
  if (!started_ && whole_) start();
  if (whole_ && !gzip_) return stored_.substr(0, head_size);
  while (buffer_size_ < head_size && pump()) {
  }
  return {buffer_.get(), buffer_size_};
}

void InputBytes::check_line(std::uint64_t limit) {
  while (line_checked_ < buffer_size_) {
    const void* const newline =
        std::memchr(buffer_.get() + line_checked_, '\n', buffer_size_ - line_checked_);
    line_checked_ = newline == nullptr
                        ? buffer_size_
                        : static_cast<std::uint64_t>(static_cast<const char*>(newline) - buffer_.get()) + 1;
    if (newline == nullptr) break;
    line_start_ = line_checked_;
    ++line_number_;
  }
  if (buffer_size_ - line_start_ > limit) {
    throw InputError(name_, line_number_, fmt::format("a line of at most {} MiB", limit >> 20U),
                     "a longer line");
  }
}

std::string_view InputBytes::all(std::uint64_t line_limit, std::uint64_t size_limit) {
  head();
  if (whole_ && !gzip_) {
    if (hasher_ && !ended_) {
      constexpr std::size_t piece = std::size_t{1} << 24U;
      for (std::size_t at = 0; at < stored_.size(); at += piece) {
        check_stop();
        hasher_->update(stored_.substr(at, piece));
      }
    }
    ended_ = true;
    return stored_;
  }
  do {
    if (line_limit != 0) check_line(line_limit);
    if (size_limit != 0 && buffer_size_ > size_limit) break;  // the reader says that it is too much
  } while (pump());
  // What is left of the doubling is for the graph.
  if (buffer_size_ > 0) grow_to(buffer_size_);
  return {buffer_.get(), buffer_size_};
}

std::string_view InputBytes::unread() const {
  if (!started_) return {};
  if (whole_ && !gzip_) return stored_.substr(dropped_);
  return {buffer_.get() + dropped_, buffer_size_ - dropped_};
}

bool InputBytes::read_more() {
  if (!started_ && whole_) {
    start();
    if (!gzip_) return !stored_.empty();
  }
  if (whole_ && !gzip_) return false;
  if (dropped_ > 0) {
    buffer_size_ -= dropped_;
    std::memmove(buffer_.get(), buffer_.get() + dropped_, buffer_size_);
    dropped_ = 0;
  }
  return pump();
}

std::optional<double> InputBytes::share() const {
  const std::uint64_t size = whole_ ? stored_.size() : expected_size_;
  if (size == 0) return std::nullopt;
  const std::uint64_t taken = whole_ && !gzip_ ? dropped_ : fetched_;
  return static_cast<double>(taken) / static_cast<double>(size);
}

std::string InputBytes::sha256() const {
  return hasher_ ? hasher_->digest() : std::string();
}

}  // namespace countpm
