# The programs of the tutorials run, and all code on the pages is part of a tested program.
set(pictures ${CMAKE_CURRENT_BINARY_DIR}/e2e/pictures)
set(outputs ${CMAKE_CURRENT_BINARY_DIR}/tutorials)
file(MAKE_DIRECTORY ${outputs})
set(first_pictures ${pictures}/view_00.png ${pictures}/view_01.png ${pictures}/view_02.png)

add_test(NAME tutorial.ten_lines COMMAND tutorial_ten_lines ${outputs}/ten_lines.jpg ${first_pictures})
set_tests_properties(tutorial.ten_lines PROPERTIES FIXTURES_REQUIRED views
                     PASS_REGULAR_EXPRESSION "[0-9][0-9][0-9]+ tracks; [0-9][0-9]+ matches")
add_test(NAME tutorial.matrices COMMAND tutorial_matrices ${outputs}/matrices.png)
set_tests_properties(tutorial.matrices PROPERTIES PASS_REGULAR_EXPRESSION "partial (1.00|0.9[0-9])")
add_test(NAME tutorial.confidence COMMAND tutorial_confidence)
set_tests_properties(tutorial.confidence PROPERTIES PASS_REGULAR_EXPRESSION "iterations, converged")
add_test(NAME tutorial.own_start COMMAND tutorial_own_start)
set_tests_properties(tutorial.own_start PROPERTIES
                     PASS_REGULAR_EXPRESSION "iterated from them +[0-9]+ tracks +precision 0.9")
add_test(NAME tutorial.video COMMAND tutorial_video ${outputs}/video.jpg ${pictures}/view_%02d.png 1 4)
set_tests_properties(tutorial.video PROPERTIES FIXTURES_REQUIRED views
                     PASS_REGULAR_EXPRESSION "4 frames, [0-9][0-9]+ tracks")
add_test(NAME tutorial.into_colmap COMMAND tutorial_into_colmap ${outputs}/colmap.db ${first_pictures})
set_tests_properties(tutorial.into_colmap PROPERTIES FIXTURES_REQUIRED views
                     PASS_REGULAR_EXPRESSION "[0-9][0-9]+ tracks of 3 images written" SKIP_REGULAR_EXPRESSION "has no SQLite")
add_test(NAME tutorial.synchronize COMMAND tutorial_synchronize ${first_pictures})
set_tests_properties(tutorial.synchronize PROPERTIES FIXTURES_REQUIRED views
                     PASS_REGULAR_EXPRESSION "3 pairs of images, [0-9][0-9]+ tracks")
add_test(NAME tutorial.any_matches COMMAND tutorial_any_matches)
set_tests_properties(tutorial.any_matches PROPERTIES
                     PASS_REGULAR_EXPRESSION "dense: [0-9]+ tracks.*images: [0-9][0-9]+ tracks.*pairs: [0-9][0-9]+ tracks")
set(tutorial_tests ten_lines matrices confidence own_start video into_colmap synchronize any_matches)
if(TARGET tutorial_shapes)
  add_test(NAME tutorial.shapes COMMAND tutorial_shapes)
  set_tests_properties(tutorial.shapes PROPERTIES PASS_REGULAR_EXPRESSION "universe  3[0-9][0-9] tracks, [89][0-9] % right")
  list(APPEND tutorial_tests shapes)
endif()

if(MULTIMATCH_BUILD_PYTHON)
  set(python_samples ${PROJECT_SOURCE_DIR}/samples/python)
  add_test(NAME tutorial.plot_tracks_py
           COMMAND ${Python_EXECUTABLE} ${python_samples}/plot_tracks.py ${outputs}/python.jpg ${first_pictures})
  set_tests_properties(tutorial.plot_tracks_py PROPERTIES
                       PASS_REGULAR_EXPRESSION "[0-9][0-9][0-9]+ tracks; [0-9][0-9]+ matches")
  add_test(NAME tutorial.essential_matrix_py
           COMMAND ${Python_EXECUTABLE} ${python_samples}/essential_matrix.py 900 ${first_pictures})
  set_tests_properties(tutorial.essential_matrix_py PROPERTIES
                       PASS_REGULAR_EXPRESSION " 0  1 +[0-9]+ +[0-9]+ .* 1  2 +[0-9]+ +[0-9]+ ")
  add_test(NAME tutorial.colmap_arrays_py
           COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/check_colmap_arrays.py
                   ${python_samples}/colmap_arrays.py ${outputs}/arrays.npz ${first_pictures})
  add_test(NAME tutorial.camera_flight_py
           COMMAND ${Python_EXECUTABLE} ${python_samples}/camera_flight.py ${pictures}/view_00.png ${outputs}/flight 3)
  add_test(NAME tutorial.dense_tracks_py
           COMMAND ${Python_EXECUTABLE} ${python_samples}/dense_tracks.py ${first_pictures})
  set_tests_properties(tutorial.dense_tracks_py PROPERTIES
                       PASS_REGULAR_EXPRESSION "views 0 and 1: score .*[0-9]+ tracks of [0-9]+ key points")
  foreach(name dense_tracks_py camera_flight_py plot_tracks_py essential_matrix_py colmap_arrays_py)
    list(APPEND tutorial_tests ${name})
    set_tests_properties(tutorial.${name} PROPERTIES FIXTURES_REQUIRED views
      ENVIRONMENT "PYTHONPATH=${CMAKE_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1")
  endforeach()
  add_test(NAME tutorial.snippets
           COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/check_snippets.py ${PROJECT_SOURCE_DIR})
  list(APPEND tutorial_tests snippets)
  # README.md and the tutorials quote the current output of the programs. With OpenCV 4.6 only (Debian 12): other versions detect
  # different features.
  find_package(OpenCV REQUIRED COMPONENTS core)
  if(OpenCV_VERSION VERSION_GREATER_EQUAL 4.6 AND OpenCV_VERSION VERSION_LESS 4.7)
    add_test(NAME tutorial.pages
             COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/update_pages.py --check
                     --programs $<TARGET_FILE_DIR:multimatch_demo>)
    set_tests_properties(tutorial.pages PROPERTIES SKIP_RETURN_CODE 77)
    list(APPEND tutorial_tests pages)
  endif()
endif()
foreach(name IN LISTS tutorial_tests)
  set_tests_properties(tutorial.${name} PROPERTIES LABELS tutorial TIMEOUT 300)
endforeach()
