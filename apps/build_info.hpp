#pragma once
// Which commit the program was built from.
#include <string_view>

namespace countpm::app {

struct BuildInfo {
  std::string_view
      commit;             // "cc586ee34f11", with "-modified" where files had changed since; empty: not known
  std::string_view date;  // of the commit: "2026-11-25"
};

/// main() tells; not known before. Only main.cpp is compiled again for every commit.
BuildInfo& build_info();

}  // namespace countpm::app
