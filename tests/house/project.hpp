#pragma once
// The project's files as the house tests see them: the checkout, without build outputs and hidden folders.
#include <string>
#include <vector>

namespace countpm::house {

/// Paths relative to the top of the checkout, sorted, with '/' between folders. Left out: hidden files and
/// folders (but .ci and the dot files at the top), what starts with "build" at the top, and Python's caches.
std::vector<std::string> project_files();

/// Every folder above the given files, without the top itself; sorted, each once.
std::vector<std::string> folders_of(const std::vector<std::string>& files);

/// The bytes of a file of the project. Throws std::runtime_error where it cannot be read.
std::string contents(const std::string& path);

/// The text's lines without their ends; a last line without an end counts.
std::vector<std::string> lines_of(const std::string& text);

bool ends_with_any(const std::string& path, const std::vector<std::string>& endings);

/// Only letters, digits and what stands in no shell's, terminal's or line format's way: . _ - + and '/'.
bool is_plain_name(const std::string& path);

/// The path up to its first '/', empty where there is none.
std::string top_folder(const std::string& path);

}  // namespace countpm::house
