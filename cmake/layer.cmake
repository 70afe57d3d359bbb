# A layer is a folder of src/ that becomes a static library of its own.

# berth_include_root(TARGET FOLDER): the target, and who links it, finds the headers of src/FOLDER as
# "FOLDER/name.h". The root is a directory that holds a link to this one folder, so that a target
# finds the headers of the folders it links and no others.
function(berth_include_root target folder)
  set(root ${CMAKE_BINARY_DIR}/roots/${folder})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${folder} ${root}/${folder} SYMBOLIC)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${root}>)
endfunction()

# berth_layer(NAME [COLD] SEES TARGETS...): all sources below src/NAME; a new file is picked up by
# itself. COLD: no time of a search is spent here, so it is compiled with -O1, which is 40% quicker.
function(berth_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "COLD" "" SEES)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  add_library(berth_${name} STATIC ${sources})
  berth_include_root(berth_${name} ${name})
  target_link_libraries(berth_${name} PUBLIC ${layer_SEES})
  if(layer_COLD AND NOT BERTH_ODR)
    target_compile_options(berth_${name} PRIVATE -O1)
  endif()
  # The library headers that most sources include are parsed once, not two hundred times.
  if(BERTH_FUZZ)
    return()
  elseif(name STREQUAL base)
    target_precompile_headers(berth_base PRIVATE <algorithm> <cstdint> <functional> <limits> <map>
      <memory> <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h>)
  else()
    target_precompile_headers(berth_${name} REUSE_FROM berth_base)
  endif()
endfunction()

# berth_build_id(LAYERS...): what build_id() of base/build_id.h answers changes with the headers of
# these layers.
function(berth_build_id)
  set(headers "")
  foreach(layer ${ARGN})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.h)
    list(APPEND headers ${found})
  endforeach()
  set(source ${CMAKE_BINARY_DIR}/generated/build_id.cc)
  set(script ${PROJECT_SOURCE_DIR}/cmake/build_id.cmake)
  add_custom_command(OUTPUT ${source} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${source}
            "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
            "-DHEADERS=${headers}" -P ${script}
    DEPENDS ${headers} ${script})
  target_sources(berth_base PRIVATE ${source})
endfunction()
