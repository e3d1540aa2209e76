#pragma once
// The bytes of a source: files mapped, streams read, gzip undone, the hash taken on the way.
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "graph/read_options.hpp"
#include "graph/sha256.hpp"

namespace countpm {

/// Files of more bytes are read instead of mapped: mapped pages are resident, too, but no limit on data
/// counts them. Without a call all files are mapped. To be set before anything is read.
void set_largest_mapping(std::uint64_t bytes);

/// Opens a file, standard input or memory (not a lattice). head() is cheap and is for finding the format;
/// all() reads the rest. Views stay valid as long as the object (head()'s only until all() is called).
class InputBytes {
 public:
  /// Throws InputError for what cannot be opened or read: missing, a directory, no permission. The source
  /// must outlive this.
  InputBytes(const Source& source, bool hash);
  ~InputBytes();
  InputBytes(const InputBytes&) = delete;
  InputBytes& operator=(const InputBytes&) = delete;

  /// The first bytes after decompression: all of a short text, at least 1 MiB of a long one.
  std::string_view head();
  /// Everything after decompression. A stream is given up as soon as a line is longer than line_limit (0: any
  /// length), so that endless lines do not fill the memory; mapped files are left to the reader. What is read
  /// or inflated ends soon after size_limit bytes: more than the reader takes (0: any size). Throws
  /// InputError for broken gzip.
  std::string_view all(std::uint64_t line_limit, std::uint64_t size_limit = 0);
  bool gzip() const { return gzip_; }
  /// From now on, what is not there after so many seconds is not waited for: UnableError, which names the
  /// limit. Unlike the stop signal of the thread, which is looked at in any case, it needs nobody who
  /// watches.
  void limit_wait(double seconds);

  // Instead of head() and all(), for what is taken piece by piece while it comes in:
  /// What there is of the text, from the first byte that was not dropped. Valid until the next call.
  std::string_view unread() const;
  /// Waits for more of it. False at the end.
  bool read_more();
  /// Takes these bytes off the front of unread().
  void drop(std::size_t bytes) { dropped_ += bytes; }
  /// How much of a file has been taken, 0 .. 1; nothing where its size is not known.
  std::optional<double> share() const;

  /// Of the stored bytes, once all() has returned; empty where not asked for.
  std::string sha256() const;

 private:
  struct Inflater;
  struct FreeMemory {
    void operator()(char* memory) const { std::free(memory); }
  };

  void open_file();
  void map(std::uint64_t size);
  void await();  // something to read, or the end
  bool fetch();  // the next stored bytes into chunk_; false at the end
  void start();  // the first fetch: tells gzip by its magic bytes
  bool pump();   // stored bytes -> buffer_; false at the end
  void append(const char* data, std::size_t size);
  char* room(std::size_t size);  // at least `size` free bytes behind buffer_size_
  bool grow_to(std::size_t capacity);
  void inflate_chunk();
  void check_line(std::uint64_t limit);

  const std::string& name_;
  int descriptor_ = -1;
  bool owns_descriptor_ = false;
  bool awaits_writer_ = false;  // a FIFO that nobody writes to yet, which read() would take for its end
  double wait_seconds_ = std::numeric_limits<double>::infinity();
  double wait_end_ = std::numeric_limits<double>::infinity();  // on the clock
  std::string_view stored_;                                    // mapped or in memory: all stored bytes
  bool whole_ = false;                                         // stored_ is in use
  bool mapped_ = false;
  std::uint64_t fetched_ = 0;
  std::uint64_t expected_size_ = 0;  // of a file that is read; 0 where that is not known
  std::string chunk_memory_;
  std::string_view chunk_;
  bool started_ = false;
  bool gzip_ = false;
  bool ended_ = false;
  std::unique_ptr<Inflater> inflater_;
  std::unique_ptr<Sha256> hasher_;
  std::unique_ptr<char[], FreeMemory> buffer_;  // grown by realloc, which moves pages instead of copying them
  std::size_t buffer_size_ = 0;
  std::size_t buffer_capacity_ = 0;
  std::uint64_t line_checked_ = 0;  // bytes of buffer_ looked at for line ends
  std::uint64_t line_start_ = 0;
  std::size_t dropped_ = 0;  // bytes of the text, at its front
  std::uint64_t line_number_ = 1;
};

}  // namespace countpm
