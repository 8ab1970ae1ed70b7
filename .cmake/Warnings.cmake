# One interface target with the warnings of the project; errors in CI only.
add_library(gpusel_warnings INTERFACE)
target_compile_options(gpusel_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wdouble-promotion)
if(GPUSEL_WERROR)
  target_compile_options(gpusel_warnings INTERFACE -Werror)
endif()
