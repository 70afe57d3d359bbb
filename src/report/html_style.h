// The look of the HTML page and its small script.
#pragma once

#include <string_view>

namespace berth {

std::string_view html_style();   // the content of <style>
std::string_view html_script();  // the content of <script>

}  // namespace berth
