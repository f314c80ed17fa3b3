# persia_mpi_test(NAME x RANKS 1 2 ... SOURCES ... [DEPENDS room...] [LIBRARIES target...] [TIMEOUT seconds] [WILL_FAIL])
# One executable mpi_x from SOURCES and main.cpp, one ctest entry mpi_x_N per rank count.
set(PERSIA_MPI_FOLDER ${CMAKE_CURRENT_LIST_DIR})

# persia_mpi_run(TEST name PROGRAM target RANKS n TIMEOUT seconds [ARGUMENTS ...] [WILL_FAIL]): one ctest entry.
function(persia_mpi_run)
  cmake_parse_arguments(ARG "WILL_FAIL" "TEST;PROGRAM;RANKS;TIMEOUT" "ARGUMENTS" ${ARGN})
  if(PERSIA_SANITIZE)
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 5") # sanitized code is several times slower
  endif()
  add_test(NAME ${ARG_TEST} COMMAND ${PERSIA_MPI_FOLDER}/launch.sh ${ARG_RANKS} $<TARGET_FILE:${ARG_PROGRAM}> ${ARG_ARGUMENTS})
  set_tests_properties(${ARG_TEST} PROPERTIES
    PROCESSORS ${ARG_RANKS} TIMEOUT ${ARG_TIMEOUT} LABELS mpi WILL_FAIL ${ARG_WILL_FAIL})
endfunction()

function(persia_mpi_test)
  cmake_parse_arguments(ARG "WILL_FAIL" "NAME;TIMEOUT" "RANKS;SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(ARG_WILL_FAIL)
    set(will_fail WILL_FAIL)
  endif()
  add_executable(mpi_${ARG_NAME} ${PERSIA_MPI_FOLDER}/main.cpp ${ARG_SOURCES})
  target_link_libraries(mpi_${ARG_NAME} PRIVATE persia_sys persia_base GTest::gmock GTest::gtest ${ARG_LIBRARIES})
  foreach(room IN LISTS ARG_DEPENDS)
    target_link_libraries(mpi_${ARG_NAME} PRIVATE persia_${room})
  endforeach()
  foreach(ranks IN LISTS ARG_RANKS)
    persia_mpi_run(TEST mpi_${ARG_NAME}_${ranks} PROGRAM mpi_${ARG_NAME} RANKS ${ranks} TIMEOUT ${ARG_TIMEOUT} ${will_fail})
  endforeach()
endfunction()
