#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/json_reader.h"
#include "base/random.h"

namespace berth {
namespace {

template <class T>
std::string written(const T& value) {
  std::string text = JsonWriter().value(value).take();
  EXPECT_EQ(text.back(), '\n');
  text.pop_back();
  return text;
}

TEST(JsonWriter, IndentsForPeople) {
  JsonWriter json;
  json.begin_object().field("name", "x").field("ok", true).key("list").begin_array();
  json.value(1).value(2.5).end_array();
  json.key("empty").begin_array().end_array().key("none").begin_object().end_object();
  json.key("rows").begin_array();
  json.begin_flat_object().field("a", 1).key("b").begin_array().value(2).null().end_array();
  json.end_object().begin_flat_array().value("s").value("t").end_array().end_array().end_object();
  EXPECT_EQ(json.take(), R"({
  "name": "x",
  "ok": true,
  "list": [
    1,
    2.5
  ],
  "empty": [],
  "none": {},
  "rows": [
    {"a": 1, "b": [2, null]},
    ["s", "t"]
  ]
}
)");
}

TEST(JsonWriter, CompactIsOneLine) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().field("a", 1).key("b").begin_array().value(2).value("x").end_array();
  json.key("c").begin_flat_object().field("d", false).end_object().end_object();
  EXPECT_EQ(json.take(), "{\"a\":1,\"b\":[2,\"x\"],\"c\":{\"d\":false}}\n");
}

TEST(JsonWriter, EscapesWhatControlsATerminal) {
  const std::string name =
      "\x7f\xc2\x9b|\xe2\x80\x8e\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8|\xef\xbb\xbf"
      "\xf3\xa0\x81\x81|\xc3\xa9\xf0\x9f\x98\x80";
  const std::string text = written(name);
  EXPECT_EQ(text,
            "\"\\u007f\\u009b|\\u200e\\u202e\\u2066\\u2028|\\ufeff\\udb40\\udc41|"
            "\xc3\xa9\xf0\x9f\x98\x80\"");
  JsonReader reader(text, "text");
  EXPECT_EQ(reader.read_string(), name);
}

TEST(JsonWriter, IsEmptyAfterTake) {
  JsonWriter json;
  json.begin_array().value(1).end_array();
  json.take();
  json.begin_array().end_array();
  EXPECT_EQ(json.take(), "[]\n");
}

TEST(JsonWriter, Numbers) {
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(written(std::uint16_t{7}), "7");
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(2e6), "2000000");
  EXPECT_EQ(written(-3.0), "-3");
  EXPECT_EQ(written(-0.0), "-0");
  EXPECT_EQ(written(1e300), "1e+300");
  EXPECT_EQ(written(HUGE_VAL), "null");
  EXPECT_EQ(written(-HUGE_VAL), "null");
  EXPECT_EQ(written(std::nan("")), "null");
}

TEST(JsonWriter, StringsAreEscapedAndAlwaysValid) {
  EXPECT_EQ(written("a\"b\\c\n\r\t\x01\x7f/"), "\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u007f/\"");
  EXPECT_EQ(written("\xc3\xa9"), "\"\xc3\xa9\"");
  EXPECT_EQ(written("a\xff\xc3"), "\"a\xef\xbf\xbd\xef\xbf\xbd\"");
  EXPECT_EQ(written(std::string("")), "\"\"");
}

TEST(JsonWriter, RandomDoublesRoundTrip) {
  Random random(1);
  for (int round = 0; round < 200'000; ++round) {
    const double number = std::bit_cast<double>(random.next());
    if (!std::isfinite(number)) continue;
    const std::string text = written(number);
    const double back = JsonReader(text, "f").read_double();
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(number)) << text;
  }
  // Random bits are hardly ever near the whole numbers, which are written in another way.
  for (int round = 0; round < 100'000; ++round) {
    const double number =
        std::floor(std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(60))) * 4) / 4;
    const std::string text = written(number);
    ASSERT_EQ(JsonReader(text, "f").read_double(), number) << text;
  }
}

TEST(JsonWriter, RandomStringsRoundTrip) {
  Random random(2);
  for (int round = 0; round < 20'000; ++round) {
    std::string original;
    for (std::uint64_t length = random.below(20); length > 0; --length) {
      original += static_cast<char>(random.below(128));
    }
    original += "\xf0\x9f\x98\x80";
    const std::string text = written(original);
    ASSERT_EQ(JsonReader(text, "f").read_string(), original);
  }
}

// Any bytes at all as a key and value give a text that the reader accepts.
TEST(JsonWriter, AnyBytesGiveReadableJson) {
  Random random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::string noise;
    for (std::uint64_t length = random.below(12); length > 0; --length) {
      noise += static_cast<char>(random.below(256));
    }
    const std::string text = JsonWriter().begin_object().field(noise, noise).end_object().take();
    JsonReader reader(text, "f");
    ASSERT_NO_THROW({
      reader.skip();
      reader.expect_end();
    }) << text;
  }
}

}  // namespace
}  // namespace berth
