# Run by CTest with BUILD, WORK, OpenCV_DIR, PYTHON, PYTHON_DIR, COMPILER, PKG_CONFIG and PICTURES: installs everything
# and uses only installed files. PYTHON is empty without the Python module.
cmake_minimum_required(VERSION 3.18)

macro(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
  if(NOT "${code}" STREQUAL "0")
    message(FATAL_ERROR "${ARGN}\nended with ${code}\n${stdout}\n${stderr}")
  endif()
endmacro()

file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)
file(GLOB pictures ${PICTURES}/view_0[0-2].png)
list(LENGTH pictures count)
if(NOT count EQUAL 3)
  message(FATAL_ERROR "expected three pictures in ${PICTURES}, found ${count}")
endif()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
file(GLOB_RECURSE libraries RELATIVE ${prefix} ${prefix}/*/libopencv_multimatch.so*)
list(LENGTH libraries count)
if(NOT count EQUAL 3)
  message(FATAL_ERROR "expected a library, its soname and its development link, found ${libraries}")
endif()

# find_package()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK}/consumer -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_PREFIX_PATH=${prefix} -DOpenCV_DIR=${OpenCV_DIR} -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
run(${WORK}/consumer/consumer ${pictures})
set(expected "${stdout}")
string(REGEX MATCHALL "\n" lines "${expected}")
list(LENGTH lines count)
if(count LESS 60)
  message(FATAL_ERROR "expected tracks, found ${count} key points in them")
endif()

# pkg-config
file(GLOB_RECURSE pc ${prefix}/*/opencv_multimatch.pc)
get_filename_component(pc_dir ${pc} DIRECTORY)
get_filename_component(lib_dir ${pc_dir} DIRECTORY)
if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} ${pc_dir})
  run(${PKG_CONFIG} --cflags --libs opencv_multimatch)
  separate_arguments(flags UNIX_COMMAND "${stdout}")
  run(${COMPILER} -std=c++11 ${CMAKE_CURRENT_LIST_DIR}/consumer/main.cpp -o ${WORK}/with_pkg_config ${flags}
      -lopencv_features2d -lopencv_imgcodecs -Wl,-rpath,${lib_dir})
  run(${WORK}/with_pkg_config ${pictures})
  if(NOT stdout STREQUAL expected)
    message(FATAL_ERROR "the program built with pkg-config prints the tracks\n${stdout}\nexpected\n${expected}")
  endif()
endif()

# The programs
run(${prefix}/bin/multimatch_tracks --version)
file(STRINGS ${prefix}/include/opencv4/opencv2/multimatch/version.hpp numbers REGEX "_(MAJOR|MINOR|PATCH) [0-9]")
string(REGEX REPLACE "[^;]*(MAJOR|MINOR|PATCH) ([0-9]+)[^;]*" "\\2" numbers "${numbers}")
string(REPLACE ";" "." version "${numbers}")
if(NOT stdout MATCHES "^multimatch_tracks ${version},")
  message(FATAL_ERROR "the headers have version ${version}, the program prints: ${stdout}")
endif()
run(${prefix}/bin/multimatch_demo --views=3 --points=60 --output=${WORK}/demo)

# Python
if(PYTHON)
  set(ENV{PYTHONPATH} ${prefix}/${PYTHON_DIR})
  set(ENV{PYTHONDONTWRITEBYTECODE} 1)
  run(${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/consumer/tracks.py ${pictures})
  if(NOT stdout STREQUAL expected)
    message(FATAL_ERROR "Python finds the tracks\n${stdout}\nexpected\n${expected}")
  endif()
endif()
