# The manual page and the completions of shells. The program writes them itself, so they are made
# after it is linked, and belong to what users run.
set(documents ${CMAKE_BINARY_DIR}/documents)
set(document_files ${documents}/berth.1.gz ${documents}/berth.bash ${documents}/_berth)
add_custom_command(OUTPUT ${document_files} VERBATIM
  COMMAND ${CMAKE_COMMAND} -DBERTH=$<TARGET_FILE:berth> -DFOLDER=${documents}
          -P ${PROJECT_SOURCE_DIR}/cmake/write_documents.cmake
  DEPENDS berth ${PROJECT_SOURCE_DIR}/cmake/write_documents.cmake)
add_custom_target(documents ALL DEPENDS ${document_files})
add_dependencies(program documents)

install(FILES ${documents}/berth.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${documents}/berth.bash RENAME berth COMPONENT program
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
# Debian's zsh looks below /usr in another folder than below other prefixes; the prefix is chosen
# when installing.
install(CODE "
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr/?$\")
    set(zsh_folder vendor-completions)
  else()
    set(zsh_folder site-functions)
  endif()
  file(INSTALL ${documents}/_berth
       DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${zsh_folder}\")"
  COMPONENT program)
