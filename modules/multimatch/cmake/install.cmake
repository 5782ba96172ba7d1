# What `cmake --install` gives a C++ developer: library, headers, find_package() and pkg-config.
include(CMakePackageConfigHelpers)

set(multimatch_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/opencv_multimatch)
install(TARGETS opencv_multimatch EXPORT opencv_multimatchTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)
set(multimatch_not_installed "")
if(NOT MULTIMATCH_IO)
  set(multimatch_not_installed PATTERN io.hpp EXCLUDE)
endif()
install(DIRECTORY include/ DESTINATION ${multimatch_include_dir} COMPONENT dev
  FILES_MATCHING PATTERN "*.hpp" ${multimatch_not_installed})
install(EXPORT opencv_multimatchTargets DESTINATION ${multimatch_cmake_dir} COMPONENT dev)

configure_package_config_file(cmake/opencv_multimatchConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/opencv_multimatchConfig.cmake
  INSTALL_DESTINATION ${multimatch_cmake_dir})
# Until 1.0 every minor version may change the interface.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/opencv_multimatchConfigVersion.cmake
  VERSION ${MULTIMATCH_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/opencv_multimatchConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/opencv_multimatchConfigVersion.cmake
  DESTINATION ${multimatch_cmake_dir} COMPONENT dev)

set(multimatch_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH multimatch_up_to_prefix /${multimatch_pkgconfig_dir} /)
configure_file(cmake/opencv_multimatch.pc.in ${CMAKE_CURRENT_BINARY_DIR}/opencv_multimatch.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/opencv_multimatch.pc
  DESTINATION ${multimatch_pkgconfig_dir} COMPONENT dev)
