#include "report/html_report.h"
namespace berth {
std::string html_report(const HtmlInput& input) { return input.heading.model; }
}  // namespace berth
