#pragma once
// Files that are made beside the place where they are to be, under names that nobody can foresee: no file,
// link or FIFO that somebody else put there is opened, cut or waited for, and a file that is not whole has no
// name that anybody looks for.
#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>

namespace countpm {

/// An open file, closed on the way out.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }
  void close();

 private:
  int number_ = -1;
};

/// Which file it is, whatever its name.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  bool operator==(const FileIdentity&) const = default;
};

/// NAME.0123456789abcdef.new, the digits random.
std::string unforeseen_name(const std::string& name);
/// Whether it is made so.
bool is_unforeseen_name(std::string_view name);

/// A file that nobody else had, with its name.
struct NewFile {
  Descriptor descriptor;  // not open: errno says why
  std::string path;
};
/// Makes unforeseen_name(path), for reading and appending. Follows no link and takes no file that is there.
NewFile make_new_file(const std::string& path, mode_t mode);

/// Whether it is the name that no file can be made by (a folder that is not there, or not ours), rather than
/// the disk: errno of what failed.
bool is_fault_of_name(int reason);

/// Renames where nothing has the name, in one step where the file system can. False, with errno, where it
/// fails; EEXIST: something has it.
bool rename_if_free(const std::string& from, const std::string& to);

/// "a folder", "a FIFO", "a symbolic link", ...; empty for a file of bytes.
std::string_view special_kind(mode_t mode);

/// The folder that a path is in: "." where it names none.
std::string folder_of(const std::string& path);

}  // namespace countpm
