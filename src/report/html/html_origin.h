// What every page has around its sections: the opening and closing tags, and the foot. The foot
// says what made the page and when, so that a page found later can be made again, and on pages
// about one cluster the figures its steps were computed with.
#pragma once

#include <string>

#include "cluster/cluster.h"

namespace berth::report {

// Where a page comes from. The caller knows the command and the clock; what is empty is left out.
struct Origin {
  std::string command = {};  // as a shell takes it
  std::string date = {};
};

// A <section>; without a cluster, only the origin.
std::string origin_section(const Origin& origin, const Cluster* cluster);

// The beginning, up to the open <main>. Title and styles are already HTML and CSS.
std::string html_head(std::string_view title, std::string_view styles);
// The end of a page that has these scripts: closes what html_head() opened.
std::string html_tail(std::string_view scripts);

}  // namespace berth::report
