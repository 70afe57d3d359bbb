# Lets the program write its manual page and the completions of shells.
#
#   cmake -DBERTH=build/berth -DFOLDER=build/documents -P write_documents.cmake
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${BERTH} completion bash OUTPUT_FILE ${FOLDER}/berth.bash
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${BERTH} completion zsh OUTPUT_FILE ${FOLDER}/_berth
                COMMAND_ERROR_IS_FATAL ANY)
# Without name and time in it, so that the same page is the same file.
execute_process(COMMAND ${BERTH} manual COMMAND gzip -9n OUTPUT_FILE ${FOLDER}/berth.1.gz
                COMMAND_ERROR_IS_FATAL ANY)
