# The learned methods, a module of their own: only it knows libtorch, and without libtorch all the
# rest still builds. The module holds its own copy of the layers it uses and shows one function.

# Reading and writing policy files needs no libtorch; tests and fuzzers use it without.
file(GLOB policy_sources CONFIGURE_DEPENDS src/learn/policy_[flrw]*.cc)
add_library(berth_policy_file STATIC ${policy_sources})
berth_include_root(berth_policy_file learn)
target_link_libraries(berth_policy_file PUBLIC berth_base)
if(BERTH_FUZZ OR NOT BERTH_LEARN)
  return()
endif()

find_library(TORCH_LIBRARY torch_cpu)
find_library(C10_LIBRARY c10)
find_path(TORCH_API_INCLUDE torch/types.h PATH_SUFFIXES torch/csrc/api/include)
if(NOT TORCH_LIBRARY OR NOT C10_LIBRARY OR NOT TORCH_API_INCLUDE)
  message(STATUS "libtorch-dev is not installed: the learned methods are left out")
  return()
endif()

file(GLOB_RECURSE learn_sources CONFIGURE_DEPENDS src/learn/*.cc)
list(REMOVE_ITEM learn_sources ${policy_sources})
add_library(berth_learn OBJECT ${learn_sources})
target_include_directories(berth_learn SYSTEM PUBLIC ${TORCH_API_INCLUDE})
target_link_libraries(berth_learn PUBLIC berth_policy_file berth_place ${TORCH_LIBRARY}
                      ${C10_LIBRARY})
# Code that calls into the framework gains nothing from more.
target_compile_options(berth_learn PRIVATE -O2)
# Torch's headers take half a minute to parse, so they are precompiled; even that takes seconds to
# read, so several sources are compiled as one.
target_precompile_headers(berth_learn PRIVATE src/learn/torch.h <fmt/format.h>)
set_target_properties(berth_learn PROPERTIES UNITY_BUILD ${BERTH_TOGETHER} UNITY_BUILD_BATCH_SIZE 6)

add_library(berth_learn_module MODULE)
target_link_libraries(berth_learn_module PRIVATE berth_learn)
set_target_properties(berth_learn_module PROPERTIES OUTPUT_NAME berth_learn LINKER_LANGUAGE CXX
                      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
install(TARGETS berth_learn_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/berth
        COMPONENT learned)
install(DIRECTORY policies/ DESTINATION ${CMAKE_INSTALL_DATADIR}/berth/policies COMPONENT learned
        FILES_MATCHING PATTERN *.policy)
