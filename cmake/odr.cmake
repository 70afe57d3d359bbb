# Does any name of ours mean two things? With -DBERTH_ODR=ON everything is compiled for link-time
# optimization, of which only the comparison of all definitions is wanted (-Wodr); the target `odr`
# links the objects of all layers into one library that nobody loads. `make odr` does both.
set(objects "")
foreach(layer base graph cluster cost plan sim bounds zoo frontends place policy_file learn report
        experiments api cli)
  if(TARGET berth_${layer})
    list(APPEND objects $<TARGET_OBJECTS:berth_${layer}>)
  endif()
endforeach()
add_library(odr SHARED ${objects})
set_target_properties(odr PROPERTIES LINKER_LANGUAGE CXX)
