# Berth as a shared library: src/api behind the headers of include/berth, and what programs need to
# find it once it is installed (find_package(berth), pkg-config berth).
file(GLOB api_sources CONFIGURE_DEPENDS src/api/*.cc)
add_library(berth_api OBJECT ${api_sources})
berth_include_root(berth_api api)
target_include_directories(berth_api PUBLIC ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(berth_api PUBLIC berth_report berth_frontends)
target_compile_definitions(berth_api PRIVATE BERTH_BUILDING)
if(NOT BERTH_ODR)
  target_compile_options(berth_api PRIVATE -O1)
endif()
target_precompile_headers(berth_api REUSE_FROM berth_base)

add_library(berth_library SHARED)
add_library(berth::berth ALIAS berth_library)
target_link_libraries(berth_library PRIVATE berth_api)
target_include_directories(berth_library INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(berth_library INTERFACE cxx_std_20)
# The exceptions that the library and its module hand to each other are visible to both, and so are
# templates of the standard library. Programs see neither.
set(api_symbols ${PROJECT_SOURCE_DIR}/cmake/library_symbols.txt)
target_link_options(berth_library PRIVATE -Wl,--version-script=${api_symbols} -Wl,--no-undefined)
# Programs load any library with the name they were linked with: before version 1.0 a new minor
# version may change the interface, so it needs another name.
set_target_properties(berth_library PROPERTIES
  OUTPUT_NAME berth EXPORT_NAME berth LINKER_LANGUAGE CXX
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_DEPENDS ${api_symbols})

include(CMakePackageConfigHelpers)
set(api_package ${CMAKE_INSTALL_LIBDIR}/cmake/berth)
install(TARGETS berth_library EXPORT berthTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT dev)
install(DIRECTORY include/berth DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT berthTargets NAMESPACE berth:: DESTINATION ${api_package} COMPONENT dev)
configure_package_config_file(cmake/berthConfig.cmake.in ${CMAKE_BINARY_DIR}/berthConfig.cmake
  INSTALL_DESTINATION ${api_package} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/berthConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/berthConfig.cmake ${CMAKE_BINARY_DIR}/berthConfigVersion.cmake
  DESTINATION ${api_package} COMPONENT dev)
# The prefix is told relative to the file, since it may be chosen when installing.
file(RELATIVE_PATH api_prefix_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/berth.pc.in ${CMAKE_BINARY_DIR}/berth.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/berth.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT dev)
