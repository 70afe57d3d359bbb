#include "api/errors.h"

#include <fmt/format.h>

#include <new>
#include <string_view>

#include "base/error.h"
#include "base/outside_error.h"

namespace berth::v1 {
namespace {

// "SOURCE:LINE:COLUMN" where the sentence begins with that; else empty.
std::string place_in(std::string_view sentence, const std::string& source) {
  if (source.empty() || !sentence.starts_with(source + ":")) return "";
  const std::size_t end = sentence.find_first_not_of("0123456789:", source.size());
  if (end == std::string_view::npos || end < source.size() + 3) return "";
  return std::string(sentence.substr(0, end - 1));
}

}  // namespace

Error::Error(ErrorCode code, const std::string& sentence, std::string subject, std::string place)
    : std::runtime_error(sentence),
      code_(code),
      subject_(std::move(subject)),
      place_(std::move(place)) {}
Error::Error(const Error&) = default;
Error& Error::operator=(const Error&) = default;
Error::~Error() = default;

void rethrow_as_error(const std::string& subject) {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const CallbackError& error) {
    std::rethrow_exception(error.exception);
  } catch (const InputError& error) {
    throw Error(ErrorCode::bad_input, error.what(), subject, place_in(error.what(), subject));
  } catch (const OutsideError& error) {
    throw Error(ErrorCode::outside, error.what(), subject);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "there is not enough memory", subject);
  } catch (const std::exception& error) {
    throw Error(ErrorCode::internal, fmt::format("a bug in Berth: {}", error.what()), subject);
  } catch (...) {
    throw Error(ErrorCode::internal, "a bug in Berth: an exception of no known type", subject);
  }
}

void require_index(std::size_t index, std::size_t count, const char* what) {
  if (index < count) return;
  const std::string subject = fmt::format("{} {}", what, index);
  throw Error(
      ErrorCode::bad_input,
      fmt::format("there is no {}; they are numbered from 0, and there are {}", subject, count),
      subject);
}

}  // namespace berth::v1
