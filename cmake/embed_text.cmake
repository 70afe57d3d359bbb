# Turns text files into one C++ source that defines html_file() of report/html/html_file.h, so that the
# style sheets and scripts of the pages are files of their own and the program still is one file.
#
#   cmake -DOUTPUT=html_file.cc "-DFILES=page.css;data.js" -P embed_text.cmake
#
# The compiler takes string literals of any length here; the text must not hold the delimiter.
set(entries "")
foreach(path IN LISTS FILES)
  get_filename_component(name ${path} NAME)
  file(READ ${path} text)
  string(FIND "${text}" ")embedded\"" found)
  if(NOT found EQUAL -1)
    message(FATAL_ERROR "${path} holds the delimiter of the string it becomes")
  endif()
  string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made by cmake/embed_text.cmake.
#include \"report/html/html_file.h\"

#include <cassert>
#include <utility>

namespace berth::report {

std::string_view html_file(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
${entries}  };
  for (const auto& [known, text] : kFiles) {
    if (known == name) return text;
  }
  assert(false && \"no such file in src/report/html\");
  return {};
}

}  // namespace berth::report
")
