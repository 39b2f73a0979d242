// The door to what Linux's C libraries have and their modules for Swift leave out.
#ifndef PASSAGE_CLINUX_SHIM_H
#define PASSAGE_CLINUX_SHIM_H

#ifdef __linux__
#include <malloc.h>
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

// Has threads that are begun from now on share so many arenas, where the C library has arenas:
// `M_ARENA_MAX` of `mallopt(3)`.
static inline void passage_limit_memory_arenas(int count) {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, count);
#else
  (void)count;
#endif
}
#endif

#endif
