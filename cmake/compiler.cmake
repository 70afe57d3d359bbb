# How everything is compiled: language, warnings, arithmetic, sanitizers, compiler cache and linker.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The parts end up in a program, in a shared library and in a module, and meet in one process. What
# each shows to the others is marked; everything else is its own.
# Not the property: executables would get -fPIE and could not share precompiled headers.
add_compile_options(-fPIC)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  # What ccache needs to be told before it caches objects made with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    add_compile_options(-fpch-preprocess)
  endif()
endif()
find_program(MOLD mold)
if(MOLD AND NOT BERTH_FUZZ AND NOT BERTH_ODR)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 sees overreads and overflows in inlined library code where there are none.
  add_compile_options(-Wno-stringop-overread -Wno-stringop-overflow -Wno-restrict
                      -Wno-array-bounds)
endif()
# Times are IEEE binary64 without contraction: two builds must agree on every step time.
add_compile_options(-ffp-contract=off)
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
if(BERTH_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1")
  # The sanitizers' code makes g++ 12 see uninitialized members in the library's regular expressions.
  add_compile_options(-Wno-maybe-uninitialized)
endif()
if(BERTH_ODR)
  # Nothing is optimized, so that it is quick.
  set(CMAKE_CXX_FLAGS_RELEASE "-O0")
  add_compile_options(-flto)
  add_link_options(-flto=auto -Wodr -Wlto-type-mismatch -Werror=odr -Werror=lto-type-mismatch)
endif()
if(BERTH_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1 -O1)
  add_link_options(-fsanitize=address,undefined)
endif()
add_compile_definitions(BERTH_VERSION="${PROJECT_VERSION}")
