// The style sheets and scripts of the HTML pages: files in src/report/html that the build puts into
// the program (cmake/embed_text.cmake). A page's scripts share one scope, in the order in which the
// page names them.
#pragma once

#include <string_view>

namespace berth::report {

// The text of src/report/html/NAME, which must exist.
std::string_view html_file(std::string_view name);

}  // namespace berth::report
