# Debian packages by CPack (`make deb`): `berth` with the program alone, `berth-learned` with the
# module that needs libtorch, and `libberth-dev` with the library and its headers (component
# `dev`). The program works without the others.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Berth maintainers <maintainers@berth.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(package_of_program berth)
set(package_of_learned berth-learned)
set(package_of_dev libberth-dev)

# libtorch takes hundreds of megabytes, so it comes only to who asks for the learned methods.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS berth-learned)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "This is the program, with its manual page and completions
of shells. The learned methods are in berth-learned.")

# The program and the module must be of one build. The libraries that libtorch multiplies matrices
# with can be replaced by others, with which a training would not be repeatable.
set(CPACK_DEBIAN_LEARNED_PACKAGE_DEPENDS "berth (= ${PROJECT_VERSION}), libopenblas0-pthread")
set(CPACK_COMPONENT_LEARNED_DESCRIPTION "These are the methods that learn to place by trying, and
policies that were trained before. They need libtorch.")

set(CPACK_COMPONENT_DEV_DESCRIPTION "This is the library with its headers, for programs that find
plans by themselves.")

# What every Debian package has to hold, whatever else is in it.
string(TIMESTAMP package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
get_cmake_property(components COMPONENTS)
foreach(component IN ITEMS program learned dev)
  if(NOT component IN_LIST components)
    continue()
  endif()
  string(TOUPPER ${component} upper)
  set(package ${package_of_${component}})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(folder ${CMAKE_BINARY_DIR}/documents/${package})
  file(WRITE ${folder}/changelog "${package} (${PROJECT_VERSION}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${package_date}
")
  execute_process(COMMAND gzip -9nf ${folder}/changelog COMMAND_ERROR_IS_FATAL ANY)
  # In packages only: it points to the licenses that Debian installs.
  install(FILES cmake/debian_copyright.txt RENAME copyright COMPONENT ${component}
          EXCLUDE_FROM_ALL DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES ${folder}/changelog.gz COMPONENT ${component} EXCLUDE_FROM_ALL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package})
endforeach()
include(CPack)
