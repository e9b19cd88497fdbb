# What `cmake --install` copies: component "programs" with the programs, component "data" with everything else.
include(GNUInstallDirs)
set(FIRN_PROGRAMS ${CMAKE_INSTALL_BINDIR} CACHE STRING "Folder of the programs below the prefix")
set(shared ${CMAKE_INSTALL_DATADIR}/firn)

install(TARGETS firn-sim firn-render RUNTIME DESTINATION ${FIRN_PROGRAMS} COMPONENT programs)
install(DIRECTORY scenes DESTINATION ${shared} COMPONENT data
  PATTERN __pycache__ EXCLUDE PATTERN "*.py" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT data)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT data)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT data)
# The weights of the denoiser's network, if ./firn denoiser has fetched them into the build tree.
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/firn/ DESTINATION ${shared} COMPONENT data OPTIONAL)

# The programs write their manual pages and completions.
foreach(program firn-sim firn-render)
  install(CODE "
    set(target \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/${program}.1\")
    message(STATUS \"Installing: \${target}\")
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
    execute_process(COMMAND \"$<TARGET_FILE:${program}>\" --man OUTPUT_FILE \"\${target}\" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND gzip -9nf \"\${target}\" COMMAND_ERROR_IS_FATAL ANY)
    set(target \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions/${program}\")
    message(STATUS \"Installing: \${target}\")
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions\")
    execute_process(COMMAND \"$<TARGET_FILE:${program}>\" --completion OUTPUT_FILE \"\${target}\"
      COMMAND_ERROR_IS_FATAL ANY)" COMPONENT data)
endforeach()
