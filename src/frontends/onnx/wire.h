// The wire format of protocol buffers, as far as it is needed to read known messages: a cursor over
// the fields of one message. Nothing is copied: strings, nested messages and payloads are views, so
// a gigabyte of weights is skipped without touching a page of it.
//
// Every length is checked against the bytes that remain. Groups, a deprecated field type, are
// refused.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace berth::onnx {

// The bytes do not follow the format. Turned into an InputError where the name of the file is
// known.
class WireError : public std::runtime_error {
 public:
  WireError(const char* where, const std::string& what) : std::runtime_error(what), at(where) {}
  const char* at;  // into the file
};

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t integer = 0;  // of varints and fixed ones
  std::string_view bytes;     // the payload; of a number, the bytes it is written in
};

class WireCursor {
 public:
  explicit WireCursor(std::string_view message)
      : at_(message.data()), end_(message.data() + message.size()) {}

  bool done() const { return at_ == end_; }
  const char* position() const { return at_; }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    const char* const begin = at_;
    // Ten bytes of seven bits: enough for 64 bits, and more is invalid.
    for (int shift = 0; shift < 70; shift += 7) {
      if (at_ == end_) throw WireError(begin, "a number is cut off");
      const auto byte = static_cast<unsigned char>(*at_++);
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw WireError(begin, "a number has more than ten bytes");
  }

  template <class Integer>
  Integer fixed() {
    if (static_cast<std::size_t>(end_ - at_) < sizeof(Integer)) {
      throw WireError(at_, "a number is cut off");
    }
    Integer value;
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&value, at_, sizeof(Integer));
    at_ += sizeof(Integer);
    return value;
  }

  // The next field; false at the end of the message.
  bool next(WireField& field) {
    if (done()) return false;
    const char* const begin = at_;
    const std::uint64_t tag = varint();
    field.number = static_cast<std::uint32_t>(tag >> 3);
    if (tag >> 3 == 0 || tag >> 32 != 0) throw WireError(begin, "a field has no valid number");
    const char* const value = at_;
    switch (tag & 7) {
      case 0:
        field.integer = varint();
        break;
      case 1:
        field.integer = fixed<std::uint64_t>();
        break;
      case 2:
        return take_bytes(field, begin);
      case 5:
        field.integer = fixed<std::uint32_t>();
        break;
      default:
        throw WireError(begin, "a field has a type that is not used in ONNX files");
    }
    field.type = static_cast<WireType>(tag & 7);
    field.bytes = {value, static_cast<std::size_t>(at_ - value)};
    return true;
  }

 private:
  bool take_bytes(WireField& field, const char* begin) {
    const std::uint64_t length = varint();
    const auto left = static_cast<std::uint64_t>(end_ - at_);
    if (length > left) {
      throw WireError(begin, "a field says it has " + std::to_string(length) +
                                 " bytes where only " + std::to_string(left) + " are left");
    }
    field.type = WireType::bytes;
    field.bytes = {at_, static_cast<std::size_t>(length)};
    at_ += length;
    return true;
  }

  const char* at_;
  const char* end_;
};

}  // namespace berth::onnx
