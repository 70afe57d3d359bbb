#include "base/json_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "base/thrown.h"

namespace berth {
namespace {

std::string skip_error(std::string_view text) {
  return thrown([&] {
    JsonReader reader(text, "f");
    reader.skip();
    reader.expect_end();
  });
}

TEST(JsonReader, ReadsADocument) {
  JsonReader reader(R"( {"name": "x", "list": [1, -2.5e3, true, null], "o": {}, "e": []} )", "f");
  EXPECT_EQ(reader.peek(), JsonReader::Kind::object);
  reader.begin_object();
  EXPECT_EQ(reader.next_key(), "name");
  EXPECT_EQ(reader.peek(), JsonReader::Kind::string);
  EXPECT_EQ(reader.read_string(), "x");
  EXPECT_EQ(reader.next_key(), "list");
  reader.begin_array();
  ASSERT_TRUE(reader.next_element());
  EXPECT_EQ(reader.peek(), JsonReader::Kind::number);
  EXPECT_EQ(reader.read_double(), 1);
  ASSERT_TRUE(reader.next_element());
  EXPECT_EQ(reader.read_double(), -2500);
  ASSERT_TRUE(reader.next_element());
  EXPECT_EQ(reader.peek(), JsonReader::Kind::boolean);
  EXPECT_TRUE(reader.read_bool());
  ASSERT_TRUE(reader.next_element());
  EXPECT_EQ(reader.peek(), JsonReader::Kind::null);
  reader.read_null();
  EXPECT_FALSE(reader.next_element());
  EXPECT_EQ(reader.next_key(), "o");
  reader.begin_object();
  EXPECT_EQ(reader.next_key(), std::nullopt);
  EXPECT_EQ(reader.next_key(), "e");
  reader.begin_array();
  EXPECT_FALSE(reader.next_element());
  EXPECT_EQ(reader.next_key(), std::nullopt);
  reader.expect_end();
}

TEST(JsonReader, ErrorsCarryTheirPlace) {
  JsonReader reader("[1,\n  x]", "f");
  try {
    reader.skip();
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_file);
    EXPECT_EQ(error.place(), "f:2:3");
    EXPECT_EQ(std::string(error.what()).find("f:2:3: "), 0u) << error.what();
  }
}

TEST(JsonReader, SkipPassesAnyValue) {
  JsonReader reader(R"({"a": [[{"x": "\u00e9"}], 1, "s", false], "b": 7})", "f");
  reader.begin_object();
  EXPECT_EQ(reader.next_key(), "a");
  reader.skip();
  EXPECT_EQ(reader.position(), 6u);
  EXPECT_EQ(reader.next_key(), "b");
  EXPECT_EQ(reader.read_double(), 7);
  EXPECT_EQ(reader.next_key(), std::nullopt);
}

TEST(JsonReader, ByteOrderMarkIsPassed) {
  JsonReader reader("\xef\xbb\xbf[1]", "f");
  reader.begin_array();
  EXPECT_EQ(reader.locate(reader.position()), "f:1:1");
}

TEST(JsonReaderStrings, Escapes) {
  JsonReader reader(R"(["\"\\\/\b\f\n\r\t", "\u0041\u00e9\u20AC\ud83d\ude00", "\u0000", "a\tb"])",
                    "f");
  reader.begin_array();
  std::vector<std::string_view> strings;
  while (reader.next_element()) strings.push_back(reader.read_string());
  ASSERT_EQ(strings.size(), 4u);
  EXPECT_EQ(strings[0], "\"\\/\b\f\n\r\t");
  EXPECT_EQ(strings[1], "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(strings[2], std::string_view("\0", 1));
  EXPECT_EQ(strings[3], "a\tb");
}

TEST(JsonReaderStrings, ViewsSurviveLaterReads) {
  constexpr std::size_t kCount = 1000;
  std::string text = "[";
  for (std::size_t i = 0; i < kCount; ++i) text += fmt::format("{}\"\\u0041{}\"", i ? "," : "", i);
  text += "]";
  JsonReader reader(text, "f");
  reader.begin_array();
  std::vector<std::string_view> strings;
  while (reader.next_element()) strings.push_back(reader.read_string());
  ASSERT_EQ(strings.size(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) EXPECT_EQ(strings[i], fmt::format("A{}", i));
}

TEST(JsonReaderStrings, BrokenStringsAreRefused) {
  EXPECT_EQ(skip_error("\"\\x\""),
            "f:1:2: \"\\\\x\" is not an escape of JSON; write \\\\ for a backslash");
  EXPECT_EQ(skip_error("\"\\u12g4\""), "f:1:2: \\u must be followed by four hexadecimal digits");
  EXPECT_EQ(skip_error("\"\\u12"), "f:1:2: \\u must be followed by four hexadecimal digits");
  EXPECT_EQ(skip_error("\"\\ud800\""),
            "f:1:2: \\ud800 is half of a surrogate pair without its other half");
  EXPECT_EQ(skip_error("\"\\udc00\""),
            "f:1:2: \\udc00 is half of a surrogate pair without its other half");
  EXPECT_EQ(skip_error("\"\\ud800\\u0041\""),
            "f:1:2: \\ud800 is half of a surrogate pair without its other half");
  EXPECT_EQ(skip_error("\"a\x01\""),
            "f:1:3: a control character (byte 0x01) must be escaped in a string");
  EXPECT_EQ(skip_error("[\"abc\n\"]"),
            "f:1:2: the string that begins here is not closed on its line");
  EXPECT_EQ(skip_error("[\"abc"), "f:1:2: the text ends inside the string that begins here");
  EXPECT_EQ(skip_error("\"abc\\"), "f:1:5: the text ends inside an escape of a string");
  EXPECT_EQ(skip_error("\"\xff\""), "f:1:2: the byte 0xff is not valid UTF-8");
  EXPECT_EQ(skip_error("\"\xc3\""), "f:1:2: the byte 0xc3 is not valid UTF-8");
  EXPECT_EQ(skip_error("\"\\n\xed\xa0\x80\""), "f:1:4: the byte 0xed is not valid UTF-8");
  EXPECT_EQ(skip_error("{\"\xc0\xaf\": 1}"), "f:1:3: the byte 0xc0 is not valid UTF-8");
}

TEST(JsonReaderNumbers, Grammar) {
  for (const char* text :
       {"0", "-0", "10", "0.5", "1e5", "1E+5", "1e-5", "-1.25e-2", "123456789012345678901"}) {
    EXPECT_EQ(skip_error(text), "(nothing was thrown)") << text;
  }
  for (const char* text : {"01", "-01", "00", "1.", ".5", "+1", "1e", "1e+", "-", "--1", "0x10",
                           "1.5.2", "NaN", "Infinity", "-Infinity", "1,", "1a", "- 1"}) {
    EXPECT_NE(skip_error(text), "(nothing was thrown)") << text;
  }
  EXPECT_EQ(skip_error("[012]"), "f:1:2: the number 012 may not begin with a zero");
  EXPECT_EQ(skip_error("[1.]"), "f:1:4: expected a digit of a number but found ']'");
  EXPECT_EQ(skip_error("[NaN]"), "f:1:2: expected a value but found the word \"NaN\"");
}

TEST(JsonReaderNumbers, DoublesAreFinite) {
  const auto read = [](std::string_view text) { return JsonReader(text, "f").read_double(); };
  EXPECT_EQ(read("1.7976931348623157e308"), 1.7976931348623157e308);
  EXPECT_EQ(read("5e-324"), 5e-324);
  EXPECT_EQ(read("1e-999"), 0);
  EXPECT_EQ(read(std::string("0.000") + std::string(500, '0') + "1"), 0);
  EXPECT_EQ(read("0e99999999999999999999"), 0);
  EXPECT_EQ(read(std::string("0.") + std::string(400, '0') + "1e401"), 1);
  EXPECT_EQ(thrown([&] { read("1e999"); }),
            "f:1:1: the number 1e999 is too large: it must be finite as a double");
  EXPECT_THROW(read("-1e999"), InputError);
  EXPECT_THROW(read("1e99999999999999999999999"), InputError);
  EXPECT_THROW(read(std::string(400, '9')), InputError);
  EXPECT_EQ(read("1e-99999999999999999999999"), 0);
}

TEST(JsonReaderNumbers, Quantities) {
  const auto read = [](std::string_view text) {
    return JsonReader(text, "f").read_quantity(Dimension::seconds, "latency");
  };
  EXPECT_EQ(read("0.25"), 0.25);
  EXPECT_EQ(read("\"10us\""), 10 / 1e6);
  EXPECT_FALSE(std::signbit(read("-0")));
  EXPECT_EQ(thrown([&] { read(" -1"); }), "f:1:2: latency must not be negative but is -1");
  EXPECT_EQ(thrown([&] { read("[1]"); }),
            "f:1:1: latency must be a number or a string with a unit but is an array");
  EXPECT_EQ(thrown([&] { read("\n \"10\""); }),
            "f:2:2: latency: \"10\" is not a time: the unit is missing; known units are s, ms, us, "
            "ns, min and h");
}

TEST(JsonReaderNumbers, BytesStayExact) {
  const auto read = [](std::string_view text) { return JsonReader(text, "f").read_bytes("bytes"); };
  EXPECT_EQ(read("9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(read("9007199254740993"), 9007199254740993);  // 2^53 + 1 is no double
  EXPECT_EQ(read("1e3"), 1000);
  EXPECT_EQ(read("1.5"), 2);
  EXPECT_EQ(read("-0"), 0);
  EXPECT_EQ(read("\"16GiB\""), 17179869184);
  EXPECT_EQ(read("\"0.5B\""), 1);
  EXPECT_EQ(thrown([&] { read("9223372036854775808"); }),
            "f:1:1: bytes must fit in 63 bits but is 9223372036854775808");
  EXPECT_EQ(thrown([&] { read("1e19"); }), "f:1:1: bytes must fit in 63 bits but is 1e+19 bytes");
  EXPECT_EQ(thrown([&] { read("-5"); }), "f:1:1: bytes must not be negative but is -5");
  EXPECT_THROW(read("-99999999999999999999"), InputError);
  EXPECT_THROW(read("\"9000PiB\""), InputError);
  EXPECT_THROW(read("null"), InputError);
}

TEST(JsonReaderNumbers, IntegersInRange) {
  const auto read = [](std::string_view text, std::int64_t low, std::int64_t high) {
    return JsonReader(text, "f").read_integer(low, high, "slots");
  };
  EXPECT_EQ(read("1", 1, 64), 1);
  EXPECT_EQ(read("64.0", 1, 64), 64);
  EXPECT_EQ(read("1e1", 1, 64), 10);
  EXPECT_EQ(read("-9223372036854775808", INT64_MIN, INT64_MAX), INT64_MIN);
  EXPECT_EQ(thrown([&] { read("0", 1, 64); }),
            "f:1:1: slots must be a whole number from 1 to 64 but is 0");
  EXPECT_EQ(thrown([&] { read("1.5", 1, 64); }),
            "f:1:1: slots must be a whole number from 1 to 64 but is 1.5");
  EXPECT_THROW(read("1e19", INT64_MIN, INT64_MAX), InputError);
  EXPECT_THROW(read("9223372036854775808", INT64_MIN, INT64_MAX), InputError);
  EXPECT_EQ(thrown([&] { read("\"4\"", 1, 64); }),
            "f:1:1: slots must be a whole number but is the string \"4\"");
}

TEST(JsonReaderErrors, NameFileLineAndColumn) {
  JsonReader reader("{\n  \"a\": 3\n}", "model.json");
  reader.begin_object();
  reader.next_key();
  EXPECT_EQ(thrown([&] { reader.read_string(); }),
            "model.json:2:8: expected a string but found the number 3");
  EXPECT_EQ(thrown([&] { reader.fail("op is wrong"); }), "model.json:2:8: op is wrong");
}

TEST(JsonReaderErrors, ColumnsCountCharacters) {
  EXPECT_EQ(skip_error("[\"\xc3\xa9\xe2\x82\xac\", x]"),
            "f:1:8: expected a value but found the word \"x\"");
  EXPECT_EQ(skip_error("[1,\r\n 2,\r\n  }"), "f:3:3: expected a value but found '}'");
}

TEST(JsonReaderErrors, Structure) {
  EXPECT_EQ(skip_error("{\"a\" 1}"),
            "f:1:6: expected ':' after the key \"a\" but found the number 1");
  EXPECT_EQ(skip_error("{\"a\": 1 \"b\": 2}"),
            "f:1:9: expected ',' or '}' but found the string \"b\"");
  EXPECT_EQ(skip_error("[1 2]"), "f:1:4: expected ',' or ']' but found the number 2");
  EXPECT_EQ(skip_error("[1}"), "f:1:3: expected ',' or ']' but found '}'");
  EXPECT_EQ(skip_error("[1,]"), "f:1:3: a comma may not be followed by the end of the array");
  EXPECT_EQ(skip_error("{\"a\":1,}"),
            "f:1:7: a comma may not be followed by the end of the object");
  EXPECT_EQ(skip_error("[,1]"), "f:1:2: expected a value but found ','");
  EXPECT_EQ(skip_error("{a: 1}"),
            "f:1:2: expected a key in double quotes but found the word \"a\"");
  EXPECT_EQ(skip_error("{1: 1}"), "f:1:2: expected a key in double quotes but found the number 1");
  EXPECT_EQ(skip_error("{} {}"), "f:1:4: expected the end of the text but found an object");
  EXPECT_EQ(skip_error("[nul]"), "f:1:2: expected null but found the word \"nul\"");
  EXPECT_EQ(skip_error("[truex]"), "f:1:2: expected true but found the word \"truex\"");
  EXPECT_EQ(skip_error("// comment"), "f:1:1: expected a value but found '/'");
}

TEST(JsonReaderErrors, TruncatedText) {
  EXPECT_EQ(skip_error("{\n \"ops\": [\n  {\"a\": 1"),
            "f:3:10: the text ends inside the object that was opened at line 3, column 3");
  EXPECT_EQ(skip_error("{\n \"ops\": ["),
            "f:2:10: the text ends inside the array that was opened at line 2, column 9");
  EXPECT_EQ(skip_error(""), "f:1:1: expected a value but the text is empty");
  EXPECT_EQ(skip_error(" \n "), "f:2:2: expected a value but the text is empty");
  EXPECT_EQ(skip_error("\xef\xbb\xbf"), "f:1:1: expected a value but the text is empty");
}

TEST(JsonReaderErrors, WhatIsNoText) {
  EXPECT_EQ(skip_error("\x89PNG"),
            "f:1:1: expected a value but found the byte 0x89; this is not a JSON text");
  EXPECT_EQ(skip_error(std::string_view("\x08\x00\x12", 3)),
            "f:1:1: expected a value but found the byte 0x08; this is not a JSON text");
  EXPECT_EQ(skip_error(std::string_view("\xff\xfe{\0}\0", 6)),
            "f:1:1: the text is in UTF-16; JSON is written in UTF-8");
  EXPECT_EQ(skip_error(std::string_view("[1]\0", 4)),
            "f:1:4: expected the end of the text but found the byte 0x00");
}

TEST(JsonReaderErrors, DepthIsLimited) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(skip_error(nested(JsonReader::kMaxDepth)), "(nothing was thrown)");
  EXPECT_EQ(skip_error(nested(JsonReader::kMaxDepth + 1)),
            "f:1:65: objects and arrays are nested more than 64 deep");
  EXPECT_EQ(skip_error(std::string(1'000'000, '[')),
            "f:1:65: objects and arrays are nested more than 64 deep");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_NE(skip_error(objects).find("nested more than 64 deep"), std::string::npos);
}

// Whatever happens to a document, the reader reads it or throws InputError, and skip() agrees with
// itself about every prefix: nothing but the whole document is accepted.
TEST(JsonReaderRobustness, EveryPrefixIsRefused) {
  const std::string text =
      R"({"name":"t\u00e9st","ops":[{"n":"x:0","b":[1,2.5e-3,-0],"ok":true,"no":null}],"e":{}})";
  ASSERT_EQ(skip_error(text), "(nothing was thrown)");
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(skip_error(text.substr(0, size)), "(nothing was thrown)") << size;
  }
}

TEST(JsonReaderRobustness, RandomMutationsNeverCrash) {
  const std::string text =
      R"({"name":"t\u00e9st \ud83d\ude00","ops":[{"n":"x:0","b":[1,2.5e-3,-0],"ok":true,"no":null}],"e":{}})";
  const std::string_view spice = "{}[]\",:\\u0 1e.-tfn\n\xff\xc3";
  Random random(7);
  int accepted = 0;
  int refused = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string mutant = text;
    for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
      const std::size_t at = random.below(mutant.size());
      const char letter = spice[random.below(spice.size())];
      switch (random.below(4)) {
        case 0:
          mutant[at] = letter;
          break;
        case 1:
          mutant.insert(at, 1, letter);
          break;
        case 2:
          mutant.erase(at, 1 + random.below(3));
          break;
        default:
          mutant[at] = static_cast<char>(random.below(256));
      }
      if (mutant.empty()) mutant.push_back(letter);
    }
    const std::string message = skip_error(mutant);
    if (message == "(nothing was thrown)") {
      ++accepted;
    } else {
      ++refused;
      EXPECT_TRUE(message.starts_with("f:")) << message;
    }
  }
  // Both ways out must have been taken, or the mutations were no test.
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 10'000);
}

}  // namespace
}  // namespace berth
