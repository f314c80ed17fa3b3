# persia_room(NAME SOURCES ... DEPENDS room... LIBRARIES target...)
# One static library per room (src/README.md lists the rooms and floors). DEPENDS are rooms of lower floors.
add_library(persia_flags INTERFACE)
target_include_directories(persia_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_features(persia_flags INTERFACE cxx_std_20)
target_compile_options(persia_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<AND:$<BOOL:${PERSIA_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>)
if(PERSIA_SANITIZE)
  target_compile_options(persia_flags INTERFACE -fsanitize=${PERSIA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(persia_flags INTERFACE -fsanitize=${PERSIA_SANITIZE})
endif()

# Under sanitizers, rooms that compute are optimised a little, so that their tests end soon. The others, which would take
# twice as long to compile, are not.
set(persia_rooms_that_compute base mail data table embed model metrics)

function(persia_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  if(ARG_SOURCES)
    add_library(persia_${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
  else()
    add_library(persia_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  if(PERSIA_SANITIZE AND ARG_SOURCES AND name IN_LIST persia_rooms_that_compute)
    target_compile_options(persia_${name} PRIVATE -O1)
  endif()
  target_link_libraries(persia_${name} ${scope} persia_flags)
  foreach(room IN LISTS ARG_DEPENDS)
    target_link_libraries(persia_${name} ${scope} persia_${room})
  endforeach()
  target_link_libraries(persia_${name} ${scope} ${ARG_LIBRARIES})
endfunction()
