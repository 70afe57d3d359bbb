// Every way a graph file can be wrong, and the sentence that says so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/thrown.h"
#include "frontends/graph_file.h"

namespace berth {
namespace {

struct Case {
  std::string text;
  std::string message;
};

void expect_messages(const std::vector<Case>& cases) {
  for (const Case& wrong : cases) {
    EXPECT_EQ(thrown([&] { parse_graph(wrong.text, "g"); }), wrong.message) << wrong.text;
  }
}

// The ops on a line of their own, so that they begin in line 2, column 1.
std::string graph_of(const std::string& ops, const std::string& rest = "") {
  return fmt::format("{{\"format\": \"berth.graph\", \"version\": 1, \"ops\": [\n{}]{}}}", ops,
                     rest);
}

// One op with these fields beside its name and type.
std::string op_with(const std::string& fields) {
  return graph_of(fmt::format(R"({{"name": "a", "type": "T", {}}})", fields));
}

TEST(GraphErrors, Header) {
  expect_messages({
      {"", "g:1:1: expected an object but the text is empty"},
      {"[]", "g:1:1: expected an object but found an array"},
      {"{}", "g:1:1: \"format\" is missing; a graph file has \"format\": \"berth.graph\""},
      {R"({"format": "berth.graph"})",
       "g:1:1: \"version\" is missing; a graph file has \"version\": 1"},
      {R"({"format": "berth.cluster", "version": 1, "devices": []})",
       "g:1:12: \"format\" is \"berth.cluster\"; a graph file has \"format\": \"berth.graph\""},
      // The format is looked at first, wherever it stands and whatever the version.
      {R"({"version": 7, "devices": [{}], "format": "berth.cluster"})",
       "g:1:43: \"format\" is \"berth.cluster\"; a graph file has \"format\": \"berth.graph\""},
      {R"({"format": 1})", "g:1:12: expected a string but found the number 1"},
      {R"({"version": 2, "format": "berth.graph"})",
       "g:1:13: \"version\" is 2; this program reads version 1"},
      {R"({"format": "berth.graph", "version": "1"})",
       "g:1:38: \"version\" must be a whole number but is the string \"1\""},
      {R"({"format": "berth.graph", "version": 1.5})",
       "g:1:38: \"version\" must be a whole number from 0 to 1000000 but is 1.5"},
      {R"({"format": "berth.graph", "version": 1})",
       "g:1:1: the key \"ops\" is missing; a graph must have it"},
      {R"({"format": "berth.graph", "version": 1, "ops": []})",
       "g:1:48: the graph has no ops; it needs at least one"},
      {R"({"format": "berth.graph", "version": 1, "ops": {}})",
       "g:1:48: expected an array but found an object"},
      {R"({"format": "berth.graph", "version": 1, "name": 3})",
       "g:1:49: expected a string but found the number 3"},
      {R"({"format": "berth.graph", "version": 1, "format": "berth.graph"})",
       "g:1:41: the key \"format\" of a graph is given twice; give it once"},
      {R"({"format": "berth.graph", "version": 1, "x": 1, "x": 2})",
       "g:1:49: the key \"x\" of a graph is given twice; give it once"},
  });
}

TEST(GraphErrors, NotJson) {
  expect_messages({
      {std::string("\x00\x01\x02", 3),
       "g:1:1: expected an object but found the byte 0x00; this is not a JSON text"},
      {"\x89PNG\r\n", "g:1:1: expected an object but found the byte 0x89; this is not a JSON text"},
      {R"({"format": "berth.graph", "version": 1, "ops": [)",
       "g:1:49: the text ends inside the array that was opened at line 1, column 48 (in the op "
       "with index 0)"},
      {R"({"format": "berth.graph", "version": 1, "ops": [{"name": "a",)",
       "g:1:62: the text ends inside the object that was opened at line 1, column 49 (in op "
       "\"a\")"},
      {R"({"format": "berth.graph", "version": 1, "ops": [{"na)",
       "g:1:50: the text ends inside the string that begins here (in the op with index 0)"},
      {graph_of(R"({"name": "a", "type": "T"})") + "x",
       "g:2:29: expected the end of the text but found the word \"x\""},
      {op_with("\"flops\": NaN"),
       "g:2:37: expected a value but found the word \"NaN\" (in op \"a\")"},
  });
}

TEST(GraphErrors, Ops) {
  expect_messages({
      {graph_of("7"), "g:2:1: expected an object but found the number 7 (in the op with index 0)"},
      {graph_of("{}"),
       "g:2:1: the key \"name\" is missing; an op must have it (in the op with index 0)"},
      {graph_of(R"({"name": "a"})"),
       "g:2:1: the key \"type\" is missing; an op must have it (in op \"a\")"},
      {graph_of(R"({"name": ""})"),
       "g:2:10: \"name\" is empty; it needs at least one character (in the op with index 0)"},
      {graph_of(R"({"type": ""})"),
       "g:2:10: \"type\" is empty; it needs at least one character (in the op with index 0)"},
      {graph_of(R"({"name": ["a"]})"),
       "g:2:10: expected a string but found an array (in the op with index 0)"},
      {graph_of(R"({"name": "a", "name": "b"})"),
       "g:2:15: the key \"name\" of an op is given twice; give it once (in op \"a\")"},
      {op_with(R"("k": 1, "k": 2)"),
       "g:2:28: the key \"k\" of an op is unknown; known are name, type, inputs, outputs, flops, "
       "param_bytes, temp_bytes, colocate, devices, after, seconds and layer (in op \"a\")"},
      {graph_of("{\"name\": \"a\", \"type\": \"T\"},\n{\"name\": \"a\", \"type\": \"T\"}"),
       "g:3:10: the op name \"a\" is used twice, first at g:2:10; names must be unique"},
      {op_with(R"("colocate": "")"),
       "g:2:40: \"colocate\" is empty; it needs at least one character (in op \"a\")"},
      {op_with(R"("layer": 3)"), "g:2:37: expected a string but found the number 3 (in op \"a\")"},
      {op_with(R"("devices": [])"),
       "g:2:39: \"devices\" allows no device; name at least one, or leave it out to allow any (in "
       "op \"a\")"},
      {op_with(R"("devices": "gpu")"),
       "g:2:39: expected an array but found the string \"gpu\" (in op \"a\")"},
      {op_with(R"("devices": [""])"),
       "g:2:40: a name in \"devices\" is empty; it needs at least one character (in op \"a\")"},
      {op_with(R"("seconds": 0.5)"),
       "g:2:39: expected an object but found the number 0.5 (in op \"a\")"},
      {op_with(R"("seconds": {"": 1})"),
       "g:2:40: a device in \"seconds\" has an empty name (in op \"a\")"},
      {op_with(R"("seconds": {"cpu": 1, "gpu": 1, "cpu": 2})"),
       "g:2:60: \"seconds\" gives \"cpu\" twice; give it once (in op \"a\")"},
  });
}

TEST(GraphErrors, Numbers) {
  expect_messages({
      {op_with(R"("flops": -1)"), "g:2:37: \"flops\" must not be negative but is -1 (in op \"a\")"},
      {op_with(R"("flops": 1e999)"),
       "g:2:37: the number 1e999 is too large: it must be finite as a double (in op \"a\")"},
      {op_with(R"("flops": null)"),
       "g:2:37: \"flops\" must be a number or a string with a unit but is null (in op \"a\")"},
      {op_with(R"("param_bytes": -1)"),
       "g:2:43: \"param_bytes\" must not be negative but is -1 (in op \"a\")"},
      {op_with(R"("temp_bytes": 9223372036854775808)"),
       "g:2:42: \"temp_bytes\" must fit in 63 bits but is 9223372036854775808 (in op \"a\")"},
      {op_with(R"("temp_bytes": 1e300)"),
       "g:2:42: \"temp_bytes\" must fit in 63 bits but is 1e+300 bytes (in op \"a\")"},
      {op_with(R"("param_bytes": "4 parsecs")"),
       "g:2:43: \"param_bytes\": \"4 parsecs\" is not a size: the unit \"parsecs\" is unknown; "
       "known units are B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB and PiB (in op \"a\")"},
      {op_with(R"("seconds": {"gpu": -0.5})"),
       "g:2:47: a time in \"seconds\" must not be negative but is -0.5 (in op \"a\")"},
      {op_with(R"("seconds": {"gpu": true})"),
       "g:2:47: a time in \"seconds\" must be a number or a string with a unit but is true (in op "
       "\"a\")"},
      {op_with(R"("param_bytes": 9223372036854775807, "temp_bytes": 1)"),
       "g:2:10: the sizes of the graph up to here add up to more bytes than fit in 63 bits (in op "
       "\"a\")"},
      {graph_of(R"({"name": "a", "type": "T", "outputs": [{"bytes": 9223372036854775807}]},
{"name": "b", "type": "T", "outputs": [{"bytes": 1}]})"),
       "g:3:10: the sizes of the graph up to here add up to more bytes than fit in 63 bits (in op "
       "\"b\")"},
      {graph_of(R"({"name": "a", "type": "T", "flops": 1e308},
{"name": "b", "type": "T", "flops": 1e308})"),
       "g:3:10: the flops of the graph up to here add up to more than a double can hold (in op "
       "\"b\")"},
      {graph_of(R"({"name": "a", "type": "T", "seconds": {"cpu": 1e308}},
{"name": "b", "type": "T", "seconds": {"gpu": 1e308}})"),
       "g:3:10: the seconds of the graph up to here add up to more than a double can hold (in op "
       "\"b\")"},
  });
}

TEST(GraphErrors, Outputs) {
  constexpr std::string_view kNeeds =
      "g:2:40: an output needs \"bytes\", or else both \"shape\" and \"dtype\" (in op \"a\")";
  expect_messages({
      {op_with(R"("outputs": {})"), "g:2:39: expected an array but found an object (in op \"a\")"},
      {op_with(R"("outputs": [4096])"),
       "g:2:40: expected an object but found the number 4096 (in op \"a\")"},
      {op_with(R"("outputs": [{}])"), std::string(kNeeds)},
      {op_with(R"("outputs": [{"shape": [1]}])"), std::string(kNeeds)},
      {op_with(R"("outputs": [{"dtype": "f32"}])"), std::string(kNeeds)},
      {op_with(R"("outputs": [{"dtype": "float32"}])"),
       "g:2:50: the dtype \"float32\" is unknown; known are f64, f32, tf32, f16, bf16, f8, i64, "
       "i32, i16, i8, i4, u64, u32, u16, u8, u4, bool, c64 and c128 (in op \"a\")"},
      {op_with(R"("outputs": [{"shape": [-1], "dtype": "f32"}])"),
       "g:2:51: an extent of \"shape\" must be a whole number from 0 to 9223372036854775807 but "
       "is -1 (in op \"a\")"},
      {op_with(R"("outputs": [{"shape": 8, "dtype": "f32"}])"),
       "g:2:50: expected an array but found the number 8 (in op \"a\")"},
      {op_with(R"("outputs": [{"shape": [4294967296, 4294967296], "dtype": "f32"}])"),
       "g:2:40: the shape [4294967296, 4294967296] of f32 does not give a size that fits 63 bits "
       "(in op \"a\")"},
      {op_with(R"("outputs": [{"bytes": -5}])"),
       "g:2:50: \"bytes\" must not be negative but is -5 (in op \"a\")"},
      {op_with(R"("outputs": [{"bytes": 1, "bytes": 1}])"),
       "g:2:53: the key \"bytes\" of an output is given twice; give it once (in op \"a\")"},
      {op_with(R"("outputs": [{"bytes": 1, "resident": 1}])"),
       "g:2:65: expected true or false but found the number 1 (in op \"a\")"},
      {op_with(R"("outputs": [{"bytes": 1, "alias": 0}])"),
       "g:2:62: \"alias\" is input 0, but the op has 0 inputs, counted from 0 (in op \"a\")"},
      {graph_of(R"({"name": "b", "type": "T", "outputs": [{"bytes": 1}]},
{"outputs": [{"bytes": 1, "alias": 1}], "name": "a", "type": "T", "inputs": ["b"]})"),
       "g:3:36: \"alias\" is input 1, but the op has 1 input, counted from 0 (in op \"a\")"},
      {op_with(R"("outputs": [{"bytes": 1, "alias": -1}])"),
       "g:2:62: the number of an input in \"alias\" must be a whole number from 0 to 4294967294 "
       "but is -1 (in op \"a\")"},
      {op_with(R"("inputs": ["b"], "outputs": [{"alias": 0, "bytes": 1, "resident": true}])"),
       "g:2:67: an output is either \"resident\" or an \"alias\", but this one is both (in op "
       "\"a\")"},
  });
}

TEST(GraphErrors, References) {
  const std::string two = R"({"name": "first", "type": "T", "outputs": [{"bytes": 1}]},
{"name": "second", "type": "T", )";
  expect_messages({
      {graph_of(two + R"("inputs": ["frist:0"]})"),
       "g:3:44: there is no op \"frist\"; did you mean \"first\"? (in op \"second\")"},
      {graph_of(two + R"("inputs": ["first:1"]})"),
       "g:3:44: there is no \"first:1\": op \"first\" has 1 output, counted from 0 (in op "
       "\"second\")"},
      {graph_of(two + R"("inputs": ["first:99999999999999999999999"]})"),
       "g:3:44: there is no \"first:99999999999999999999999\": op \"first\" has 1 output, counted "
       "from 0 (in op \"second\")"},
      {graph_of(two + R"("inputs": ["first:"]})"),
       "g:3:44: there is no op \"first:\"; did you mean \"first\"? (in op \"second\")"},
      {graph_of(two + R"("inputs": ["first:-1"]})"),
       "g:3:44: there is no op \"first:-1\" (in op \"second\")"},
      {graph_of(two + R"("inputs": [""]})"),
       "g:3:44: a name in \"inputs\" is empty (in op \"second\")"},
      {graph_of(two + R"("inputs": "first"})"),
       "g:3:43: expected an array but found the string \"first\" (in op \"second\")"},
      {graph_of(two + R"("inputs": [0]})"),
       "g:3:44: expected a string but found the number 0 (in op \"second\")"},
      {graph_of(two + R"("after": ["thrid"]})"),
       "g:3:43: there is no op \"thrid\" (in op \"second\")"},
      {graph_of(two + R"("after": ["first:0"]})"),
       "g:3:43: \"after\" takes ops, not tensors: write \"first\" instead of \"first:0\" (in op "
       "\"second\")"},
      {graph_of(two + R"("inputs": ["first"]})", R"(, "outputs": ["second"])"),
       "g:3:68: \"second\" cannot be read, because op \"second\" has no outputs (in \"outputs\" of "
       "the graph)"},
      {graph_of(two + R"("inputs": ["first"]})", R"(, "outputs": ["last:0"])"),
       "g:3:68: there is no op \"last\" (in \"outputs\" of the graph)"},
      {graph_of(two + R"("inputs": ["first"]})", R"(, "outputs": "first")"),
       "g:3:67: expected an array but found the string \"first\""},
  });
}

TEST(GraphErrors, Cycles) {
  expect_messages({
      {op_with(R"("inputs": ["a"], "outputs": [{"bytes": 1}])"),
       "g: the graph has a cycle of 1 op, \"a\" -> \"a\"; a graph must be acyclic"},
      {op_with(R"("after": ["a"])"),
       "g: the graph has a cycle of 1 op, \"a\" -> \"a\"; a graph must be acyclic"},
      {graph_of(R"({"name": "a", "type": "T", "inputs": ["b"], "outputs": [{"bytes": 1}]},
{"name": "b", "type": "T", "after": ["a"], "outputs": [{"bytes": 1}]})"),
       "g: the graph has a cycle of 2 ops, \"b\" -> \"a\" -> \"b\"; a graph must be acyclic"},
  });
}

TEST(GraphErrors, HostileNamesDoNotReachTheTerminal) {
  const std::string message = thrown([] {
    parse_graph(R"({"format": "berth.graph", "version": 1, "ops": [{"name": "\u001b[2J", "x)", "g");
  });
  EXPECT_EQ(message.find('\x1b'), std::string::npos) << message;
  EXPECT_NE(message.find(R"("\x1b[2J")"), std::string::npos) << message;
}

}  // namespace
}  // namespace berth
