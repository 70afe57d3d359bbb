#include "base/file_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "base/outside_error.h"

namespace berth {

void fail_on_file(std::string_view action, const std::string& path, int error) {
  constexpr std::array kOutside = {ENOSPC, EDQUOT, EFBIG, EIO, ENOMEM, EMFILE, ENFILE};
  const std::string sentence =
      fmt::format("cannot {} {}: {}", action, quoted(path), std::generic_category().message(error));
  if (std::find(kOutside.begin(), kOutside.end(), error) != kOutside.end()) {
    throw OutsideError(sentence);
  }
  throw InputError(sentence, {.code = ErrorCode::bad_file, .subject = path, .place = path});
}

}  // namespace berth
