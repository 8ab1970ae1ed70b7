# gpusel_bake(TARGET FOLDER): an object library that provides data::builtin_files() over every .yaml below FOLDER.
# The host tool reads each file with the parser that reads users' files and fails the build on a fault of form.
function(gpusel_bake TARGET FOLDER)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${FOLDER}/*.yaml)
  list(SORT files)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND gpusel_bake_tool ${FOLDER} ${output}
    DEPENDS gpusel_bake_tool ${files}
    COMMENT "Baking ${FOLDER}" VERBATIM)
  # An object library: the data layer calls into it, so it must not depend on the order of archives.
  add_library(${TARGET} OBJECT ${output})
  target_link_libraries(${TARGET} PRIVATE gpusel_data)
endfunction()
