#include "api/errors.h"

#include <fmt/format.h>

#include <new>
#include <system_error>

#include "base/error.h"
#include "base/outside_error.h"

namespace berth::v1 {
namespace {

ErrorCode outside(berth::ErrorCode code) {
  switch (code) {
    case berth::ErrorCode::bad_input:
      return ErrorCode::bad_input;
    case berth::ErrorCode::unknown_name:
      return ErrorCode::unknown_name;
    case berth::ErrorCode::bad_file:
      return ErrorCode::bad_file;
    case berth::ErrorCode::bad_option:
      return ErrorCode::bad_option;
    case berth::ErrorCode::open_dimension:
      return ErrorCode::open_dimension;
    case berth::ErrorCode::too_large:
      return ErrorCode::too_large;
    case berth::ErrorCode::invalid_plan:
      return ErrorCode::invalid_plan;
    case berth::ErrorCode::conflict:
      return ErrorCode::conflict;
    case berth::ErrorCode::does_not_apply:
      return ErrorCode::does_not_apply;
  }
  return ErrorCode::bad_input;
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
    throw Error(outside(error.code()), error.what(),
                error.subject().empty() ? subject : error.subject(), error.place());
  } catch (const OutsideError& error) {
    throw Error(ErrorCode::outside, error.what(), subject);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "there is not enough memory", subject);
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::outside, fmt::format("the operating system reported: {}", error.what()),
                subject);
  } catch (const std::exception& error) {
    throw Error(ErrorCode::internal, fmt::format("a bug in Berth: {}", error.what()), subject);
  } catch (...) {
    throw Error(ErrorCode::internal, "a bug in Berth: an exception of an unknown type", subject);
  }
}

void require_index(std::size_t index, std::size_t count, const char* what) {
  if (index < count) return;
  const std::string subject = fmt::format("{} {}", what, index);
  throw Error(
      ErrorCode::unknown_name,
      fmt::format("there is no {}; they are numbered from 0, and there are {}", subject, count),
      subject);
}

}  // namespace berth::v1
