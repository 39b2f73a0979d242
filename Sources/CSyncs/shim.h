// The door to Linux's sync of a whole file system, which the C library's module for Swift leaves out.
#ifndef PASSAGE_CSYNCS_SHIM_H
#define PASSAGE_CSYNCS_SHIM_H

#ifdef __linux__
#include <sys/vfs.h>

// The C libraries declare it only for GNU programs.
int syncfs(int file);

// `syncfs(2)` of the file system that an open file is on: 0, or -1 with `errno`.
static inline int passage_synchronize_file_system(int file) { return syncfs(file); }

// Which kind of file system an open file is on, as in `linux/magic.h`; 0 when that is unknown.
static inline unsigned int passage_file_system_kind(int file) {
  struct statfs status;
  return fstatfs(file, &status) == 0 ? (unsigned int)status.f_type : 0;
}
#endif

#endif
