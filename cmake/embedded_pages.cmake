# The style sheets and scripts of the HTML pages are files that the program carries as text.
file(GLOB page_files CONFIGURE_DEPENDS src/report/html/*.css src/report/html/*.js)
set(page_source ${CMAKE_BINARY_DIR}/generated/html_file.cc)
add_custom_command(OUTPUT ${page_source} VERBATIM
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${page_source} "-DFILES=${page_files}"
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake
  DEPENDS ${page_files} cmake/embed_text.cmake)
target_sources(berth_report PRIVATE ${page_source})
