// The door to what Linux's C libraries have and their modules for Swift leave out.
#ifndef PASSAGE_CLINUX_SHIM_H
#define PASSAGE_CLINUX_SHIM_H

#ifdef __linux__
#include <malloc.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/vfs.h>

// The C libraries declare these only for GNU programs.
int syncfs(int file);
int sync_file_range(int file, off_t start, off_t count, unsigned int flags);
int fallocate(int file, int mode, off_t start, off_t count);
long syscall(long number, ...);

// Has the system begin to write an open file to its disk, without waiting for it: `SYNC_FILE_RANGE_WRITE`
// of `sync_file_range(2)`. It promises nothing.
static inline void passage_begin_writing_back(int file) { sync_file_range(file, 0, 0, 2); }

// Has the file system reserve room for an open file, and leave its size: `FALLOC_FL_KEEP_SIZE` of
// `fallocate(2)`. It promises nothing.
static inline void passage_reserve(int file, off_t start, off_t count) {
  fallocate(file, 1, start, count);
}

// Has the file system give back the room of bytes of an open file, which are zeros from then on, and leave
// its size: `FALLOC_FL_PUNCH_HOLE` and `FALLOC_FL_KEEP_SIZE` of `fallocate(2)`. 0, or -1 with `errno`.
static inline int passage_give_back(int file, off_t start, off_t count) {
  return fallocate(file, 3, start, count);
}

// `syncfs(2)` of the file system that an open file is on: 0, or -1 with `errno`.
static inline int passage_synchronize_file_system(int file) { return syncfs(file); }

// Which kind of file system an open file is on, as in `linux/magic.h`; 0 when that is unknown.
static inline unsigned int passage_file_system_kind(int file) {
  struct statfs status;
  return fstatfs(file, &status) == 0 ? (unsigned int)status.f_type : 0;
}

// Reads entries of an open folder from its position on: `getdents64(2)`, which not every C library has.
static inline long passage_read_folder(int folder, void *entries, size_t count) {
  return syscall(SYS_getdents64, folder, entries, count);
}

// A set of processors for the calls below, which the C libraries declare only for GNU programs.
enum { passage_processor_limit = 1024, passage_word_bits = 8 * sizeof(unsigned long) };
struct passage_processors {
  unsigned long words[passage_processor_limit / passage_word_bits];
};

// Which processors the running thread may use, as numbers in ascending order: `sched_getaffinity(2)`.
// `numbers` has room for `passage_processor_limit`. 0 when there may be more.
static inline int passage_usable_processors(int *numbers) {
  struct passage_processors set = {{0}};
  if (syscall(SYS_sched_getaffinity, 0, sizeof set, &set) <= 0) return 0;
  int count = 0;
  for (int number = 0; number < passage_processor_limit; number++) {
    if (set.words[number / passage_word_bits] >> (number % passage_word_bits) & 1) {
      numbers[count++] = number;
    }
  }
  return count;
}

// Has the running thread use these processors and no others: `sched_setaffinity(2)`. It promises nothing.
static inline void passage_use_processors(const int *numbers, int count) {
  struct passage_processors set = {{0}};
  for (int place = 0; place < count; place++) {
    int number = numbers[place];
    if (number >= 0 && number < passage_processor_limit) {
      set.words[number / passage_word_bits] |= 1UL << (number % passage_word_bits);
    }
  }
  syscall(SYS_sched_setaffinity, 0, sizeof set, &set);
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
