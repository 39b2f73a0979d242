// Stands between a program and the system's files: counts the calls that change anything below one
// folder, and kills, fails, shortens or records them.
//
// Preloaded (LD_PRELOAD). What it does is told by the environment:
//
//   CAMPAIGN_ROOT    the folder; calls about other files are let through and not counted
//   CAMPAIGN_STATE   a file of 4096 bytes, shared with the parent: struct state below
//   CAMPAIGN_KILL    the process is killed (SIGKILL) before the call with this number, from 1
//   CAMPAIGN_FAIL    the call with this number fails
//   CAMPAIGN_ERRNO   with this errno; 0 shortens a write to its first half instead
//   CAMPAIGN_KINDS   the kinds of call that can fail so, as a bit mask of enum kind
//   CAMPAIGN_LASTING 1: every later call of those kinds fails too; 2: every second one
//   CAMPAIGN_LOG     a file that gets every changing call that succeeded, with its data: record()
//   CAMPAIGN_BOOT    a file to be read in place of /proc/sys/kernel/random/boot_id
//
// A folder in memory claims to be on ext4, where the files of many stores become durable together.
//
// Files ending in -shm are SQLite's index of a log in shared memory; it makes them anew, so they do
// not count. Names are found through /proc/self/fd, so calls relative to a descriptor and paths
// below /proc/self/fd/N are told like any other.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

// The numbers are also in campaign/shim.py.
enum kind {
  CREATE = 0, WRITE, SYNC, RENAME, LINK, UNLINK, RMDIR, MKDIR, TRUNCATE, ALLOCATE, CHMOD, SYMLINK,
  CLONE, TIMES, SYNC_ALL
};

struct state {
  _Atomic uint64_t count;   // changing calls so far
  _Atomic uint64_t spoiled; // how many of them were failed or shortened
  uint64_t kind;            // of the first one that was killed, failed or shortened
  char path[1024];          // and what it was about
};

static struct state unshared, *state = &unshared;
static char root[PATH_MAX];
static size_t root_length;
static uint64_t kill_at, fail_at, fail_kinds;
static int fail_errno, lasting, log_file = -1;
static const char *boot;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

static uint64_t number(const char *name) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("CAMPAIGN_ROOT");
  if (!folder || !realpath(folder, root)) return;
  root_length = strlen(root);
  kill_at = number("CAMPAIGN_KILL");
  fail_at = number("CAMPAIGN_FAIL");
  fail_kinds = number("CAMPAIGN_KINDS");
  fail_errno = (int)number("CAMPAIGN_ERRNO");
  lasting = (int)number("CAMPAIGN_LASTING");
  boot = getenv("CAMPAIGN_BOOT");
  const char *shared = getenv("CAMPAIGN_STATE");
  if (shared) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC, 0);
    if (file >= 0) {
      void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (memory != MAP_FAILED) state = memory;
      syscall(SYS_close, file);
    }
  }
  const char *log = getenv("CAMPAIGN_LOG");
  if (log) {
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
    int file = (int)syscall(SYS_openat, AT_FDCWD, log, flags, 0600);
    // Out of the way of programs that count on small numbers.
    log_file = file < 0 ? -1 : (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 900);
    if (file >= 0) syscall(SYS_close, file);
  }
}

// MARK: Names

static int name_of_descriptor(int descriptor, char *name) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, name, PATH_MAX - 1);
  if (length < 0) return 0;
  name[length] = 0;
  return 1;
}

// Takes "//" and "/./" out of a name, and "/." from its end.
static void tidy(char *name) {
  char *to = name;
  for (char *from = name; *from;) {
    if (from[0] == '/' && from[1] == '/') from++;
    else if (from[0] == '/' && from[1] == '.' && (from[2] == '/' || !from[2])) from += 2;
    else *to++ = *from++;
  }
  *to = 0;
}

// The absolute name of `path` relative to `folder`, without following its last part.
static int absolute_name(int folder, const char *path, char *name) {
  char base[PATH_MAX];
  int descriptor, taken = 0;
  if (sscanf(path, "/proc/self/fd/%d%n", &descriptor, &taken) == 1 && taken) {
    if (!name_of_descriptor(descriptor, base)) return 0;
    path += taken;
    return snprintf(name, PATH_MAX, "%s%s", base, path) < PATH_MAX;
  }
  if (path[0] == '/') return snprintf(name, PATH_MAX, "%s", path) < PATH_MAX;
  if (folder == AT_FDCWD ? !getcwd(base, sizeof base) : !name_of_descriptor(folder, base)) return 0;
  return snprintf(name, PATH_MAX, "%s/%s", base, path) < PATH_MAX;
}

static int name_of_path(int folder, const char *path, char *name) {
  if (!absolute_name(folder, path, name)) return 0;
  tidy(name);
  return 1;
}

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && !strcmp(text + length - tail, end);
}

// Whether a file is one whose changes count.
static int counts(const char *name) {
  if (!root_length || strncmp(name, root, root_length) || (name[root_length] && name[root_length] != '/')) return 0;
  return !ends_with(name, "-shm") && !ends_with(name, "-shm (deleted)");
}

static const char *below_root(const char *name) {
  return name[root_length] == '/' ? name + root_length + 1 : name + root_length;
}

// MARK: What happens to a call

enum fate { PASS, FAIL, SHORTEN };

static void note(enum kind kind, const char *name) {
  if (atomic_fetch_add(&state->spoiled, 1) == 0) {
    state->kind = kind;
    snprintf(state->path, sizeof state->path, "%s", below_root(name));
  }
}

static enum fate fate(enum kind kind, const char *name) {
  uint64_t count = atomic_fetch_add(&state->count, 1) + 1;
  if (kill_at && count == kill_at) {
    note(kind, name);
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
  }
  if (!fail_at || count < fail_at || !(fail_kinds >> kind & 1)) return PASS;
  if (count > fail_at && (lasting == 0 || (lasting == 2 && (count - fail_at) % 2))) return PASS;
  note(kind, name);
  if (fail_errno == 0) return SHORTEN;
  errno = fail_errno;
  return FAIL;
}

// One record of the log: numbers in the machine's order, then two names and the data.
static void record(
    enum kind kind, uint64_t file, int64_t offset, const char *a, const char *b, const void *data,
    size_t length) {
  struct __attribute__((packed)) {
    uint32_t kind, a, b, data;
    uint64_t file;
    int64_t offset;
  } head = {kind, a ? strlen(a) : 0, b ? strlen(b) : 0, (uint32_t)length, file, offset};
  struct iovec parts[] = {
      {&head, sizeof head}, {(void *)a, head.a}, {(void *)b, head.b}, {(void *)data, length}};
  syscall(SYS_writev, log_file, parts, 4);
}

// Records must stand in the order in which the calls took place.
static void enter(void) { if (log_file >= 0) pthread_mutex_lock(&order); }
static void leave(void) {
  int kept = errno;
  if (log_file >= 0) pthread_mutex_unlock(&order);
  errno = kept;
}

static uint64_t inode(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? status.st_ino : 0;
}

// Records what a file holds between two places: for calls that copy inside the system.
static void record_contents(int file, const char *name, off_t from, off_t to) {
  static char buffer[1 << 16];
  int reader = -1;
  char own[64];
  snprintf(own, sizeof own, "/proc/self/fd/%d", file);
  reader = (int)syscall(SYS_openat, AT_FDCWD, own, O_RDONLY | O_CLOEXEC, 0);
  while (from < to) {
    size_t wanted = to - from < (off_t)sizeof buffer ? (size_t)(to - from) : sizeof buffer;
    ssize_t length = pread(reader, buffer, wanted, from);
    if (length <= 0) break;
    record(WRITE, inode(file), from, below_root(name), NULL, buffer, (size_t)length);
    from += length;
  }
  if (reader >= 0) syscall(SYS_close, reader);
}

// MARK: Opening

static int open_file(int folder, const char *path, int flags, mode_t mode) {
  char name[PATH_MAX];
  if (boot && !strcmp(path, "/proc/sys/kernel/random/boot_id")) path = boot;
  int is_changing = (flags & (O_CREAT | O_TRUNC)) && (flags & O_TMPFILE) != O_TMPFILE;
  if (!is_changing || !name_of_path(folder, path, name) || !counts(name))
    return (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
  struct stat status;
  int is_there = fstatat(folder, path, &status, 0) == 0;
  // Opening what is there changes nothing, unless it is cut off.
  if (is_there && !((flags & O_TRUNC) && status.st_size > 0))
    return (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
  enum kind kind = is_there ? TRUNCATE : CREATE;
  enter();
  int file = -1;
  if (fate(kind, name) != FAIL) {
    file = (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
    if (file >= 0 && log_file >= 0) record(kind, inode(file), 0, below_root(name), NULL, NULL, 0);
  }
  leave();
  return file;
}

static mode_t mode_of(int flags, va_list rest) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}
#define OPEN(name)                                     \
  int name(const char *path, int flags, ...) {         \
    va_list rest;                                      \
    va_start(rest, flags);                             \
    mode_t mode = mode_of(flags, rest);                \
    va_end(rest);                                      \
    return open_file(AT_FDCWD, path, flags, mode);     \
  }
#define OPENAT(name)                                          \
  int name(int folder, const char *path, int flags, ...) {    \
    va_list rest;                                             \
    va_start(rest, flags);                                    \
    mode_t mode = mode_of(flags, rest);                       \
    va_end(rest);                                             \
    return open_file(folder, path, flags, mode);              \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
int creat(const char *path, mode_t mode) {
  return open_file(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

// MARK: Writing

// `offset` is -1 for the descriptor's own.
static ssize_t write_file(int file, const void *data, size_t length, off_t offset) {
  char name[PATH_MAX];
  int is_counted = root_length && length && name_of_descriptor(file, name) && counts(name);
  if (!is_counted)
    return offset < 0 ? syscall(SYS_write, file, data, length)
                      : syscall(SYS_pwrite64, file, data, length, offset);
  enter();
  ssize_t written = -1;
  enum fate found = fate(WRITE, name);
  if (found != FAIL) {
    if (found == SHORTEN && length > 1) length /= 2;
    written = offset < 0 ? syscall(SYS_write, file, data, length)
                         : syscall(SYS_pwrite64, file, data, length, offset);
    if (written > 0 && log_file >= 0) {
      off_t at = offset < 0 ? lseek(file, 0, SEEK_CUR) - written : offset;
      record(WRITE, inode(file), at, below_root(name), NULL, data, (size_t)written);
    }
  }
  leave();
  return written;
}

ssize_t write(int file, const void *data, size_t length) {
  return write_file(file, data, length, -1);
}
ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
  return write_file(file, data, length, offset);
}
ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
  return write_file(file, data, length, offset);
}
// A write of several parts may be shortened to its first part that is not empty, by its own rules.
ssize_t writev(int file, const struct iovec *parts, int count) {
  char name[PATH_MAX];
  if (!root_length || !name_of_descriptor(file, name) || !counts(name))
    return syscall(SYS_writev, file, parts, count);
  for (int part = 0; part < count; part++)
    if (parts[part].iov_len) return write_file(file, parts[part].iov_base, parts[part].iov_len, -1);
  return 0;
}

static int sync_file(int file, long call) {
  char name[PATH_MAX];
  if (!root_length || !name_of_descriptor(file, name) || !counts(name))
    return (int)syscall(call, file);
  enum kind kind = call == SYS_syncfs ? SYNC_ALL : SYNC;
  enter();
  int result = -1;
  if (fate(kind, name) != FAIL) {
    result = (int)syscall(call, file);
    if (result == 0 && log_file >= 0)
      record(kind, inode(file), 0, below_root(name), NULL, NULL, 0);
  }
  leave();
  return result;
}
int fsync(int file) { return sync_file(file, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }
int syncfs(int file) { return sync_file(file, SYS_syncfs); }

int fstatfs(int file, struct statfs *status) {
  char name[PATH_MAX];
  int result = (int)syscall(SYS_fstatfs, file, status);
  if (result == 0 && root_length && name_of_descriptor(file, name) && counts(name))
    status->f_type = 0xEF53;
  return result;
}
int fstatfs64(int file, struct statfs64 *status) { return fstatfs(file, (struct statfs *)status); }

static int truncate_file(int file, off_t length) {
  char name[PATH_MAX];
  if (!root_length || !name_of_descriptor(file, name) || !counts(name))
    return (int)syscall(SYS_ftruncate, file, length);
  enter();
  int result = -1;
  if (fate(TRUNCATE, name) != FAIL) {
    result = (int)syscall(SYS_ftruncate, file, length);
    if (result == 0 && log_file >= 0)
      record(TRUNCATE, inode(file), length, below_root(name), NULL, NULL, 0);
  }
  leave();
  return result;
}
int ftruncate(int file, off_t length) { return truncate_file(file, length); }
int ftruncate64(int file, off64_t length) { return truncate_file(file, length); }
int truncate(const char *path, off_t length) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  int result = truncate_file(file, length), kept = errno;
  close(file);
  errno = kept;
  return result;
}
int truncate64(const char *path, off64_t length) { return truncate(path, length); }

int fallocate(int file, int mode, off_t offset, off_t length) {
  char name[PATH_MAX];
  if (!root_length || !name_of_descriptor(file, name) || !counts(name))
    return (int)syscall(SYS_fallocate, file, mode, offset, length);
  enter();
  int result = -1;
  if (fate(ALLOCATE, name) != FAIL) {
    struct stat status = {0};
    fstat(file, &status);
    result = (int)syscall(SYS_fallocate, file, mode, offset, length);
    int grows = !(mode & FALLOC_FL_KEEP_SIZE) && offset + length > status.st_size;
    if (result == 0 && log_file >= 0 && grows)
      record(TRUNCATE, inode(file), offset + length, below_root(name), NULL, NULL, 0);
  }
  leave();
  return result;
}
int fallocate64(int file, int mode, off64_t offset, off64_t length) {
  return fallocate(file, mode, offset, length);
}
int posix_fallocate(int file, off_t offset, off_t length) {
  return fallocate(file, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate64(int file, off64_t offset, off64_t length) {
  return posix_fallocate(file, offset, length);
}

// MARK: Copying inside the system

ssize_t copy_file_range(
    int from, off64_t *from_at, int to, off64_t *to_at, size_t length, unsigned flags) {
  char name[PATH_MAX];
  if (!root_length || !name_of_descriptor(to, name) || !counts(name))
    return syscall(SYS_copy_file_range, from, from_at, to, to_at, length, flags);
  enter();
  ssize_t copied = -1;
  if (fate(CLONE, name) != FAIL) {
    off_t start = to_at ? *to_at : lseek(to, 0, SEEK_CUR);
    copied = syscall(SYS_copy_file_range, from, from_at, to, to_at, length, flags);
    if (copied > 0 && log_file >= 0) record_contents(to, name, start, start + copied);
  }
  leave();
  return copied;
}

int ioctl(int file, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  char name[PATH_MAX];
  int is_clone = request == FICLONE || request == FICLONERANGE;
  if (!is_clone || !root_length || !name_of_descriptor(file, name) || !counts(name))
    return (int)syscall(SYS_ioctl, file, request, argument);
  enter();
  int result = -1;
  if (fate(CLONE, name) != FAIL) {
    result = (int)syscall(SYS_ioctl, file, request, argument);
    struct stat status;
    if (result == 0 && log_file >= 0 && fstat(file, &status) == 0)
      record_contents(file, name, 0, status.st_size);
  }
  leave();
  return result;
}

// MARK: Names that change

// A call about one name or two: the descriptor of a folder and a path each; `path_b` may be NULL.
static int change_names(
    enum kind kind, int folder_a, const char *path_a, int folder_b, const char *path_b, long call,
    long a, long b, long c, long d, long e) {
  char name_a[PATH_MAX], name_b[PATH_MAX] = "";
  int is_counted = root_length && name_of_path(folder_a, path_a, name_a) && counts(name_a);
  if (path_b && root_length && name_of_path(folder_b, path_b, name_b)) is_counted |= counts(name_b);
  if (!is_counted) return (int)syscall(call, a, b, c, d, e);
  enter();
  int result = -1;
  if (fate(kind, name_a) != FAIL) {
    struct stat status = {0};
    result = (int)syscall(call, a, b, c, d, e);
    if (result == 0 && log_file >= 0) {
      if (kind == MKDIR) fstatat(folder_a, path_a, &status, AT_SYMLINK_NOFOLLOW);
      record(
          kind, status.st_ino, 0, below_root(name_a), path_b ? below_root(name_b) : NULL, NULL, 0);
    }
  }
  leave();
  return result;
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  return change_names(
      RENAME, from, old, to, new, SYS_renameat2, from, (long)old, to, (long)new, flags);
}
int renameat(int from, const char *old, int to, const char *new) {
  return renameat2(from, old, to, new, 0);
}
int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }
int linkat(int from, const char *old, int to, const char *new, int flags) {
  return change_names(LINK, from, old, to, new, SYS_linkat, from, (long)old, to, (long)new, flags);
}
int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }
int unlinkat(int folder, const char *path, int flags) {
  // A call that finds nothing changes nothing, and is not counted.
  struct stat status;
  if (fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  return change_names(
      flags & AT_REMOVEDIR ? RMDIR : UNLINK, folder, path, 0, NULL, SYS_unlinkat, folder,
      (long)path, flags, 0, 0);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int mkdirat(int folder, const char *path, mode_t mode) {
  return change_names(
      MKDIR, folder, path, 0, NULL, SYS_mkdirat, folder, (long)path, mode, 0, 0);
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
int symlinkat(const char *target, int folder, const char *path) {
  return change_names(
      SYMLINK, folder, path, 0, NULL, SYS_symlinkat, (long)target, folder, (long)path, 0, 0);
}
int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

// MARK: What power loss does not concern

int chmod(const char *path, mode_t mode) {
  return change_names(
      CHMOD, AT_FDCWD, path, 0, NULL, SYS_fchmodat, AT_FDCWD, (long)path, mode, 0, 0);
}
int fchmod(int file, mode_t mode) {
  char name[PATH_MAX];
  if (root_length && name_of_descriptor(file, name) && counts(name) && fate(CHMOD, name) == FAIL)
    return -1;
  return (int)syscall(SYS_fchmod, file, mode);
}
int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  if (!path) return (int)syscall(SYS_utimensat, folder, path, times, flags);
  return change_names(
      TIMES, folder, path, 0, NULL, SYS_utimensat, folder, (long)path, (long)times, flags, 0);
}
int futimens(int file, const struct timespec times[2]) {
  char name[PATH_MAX];
  if (root_length && name_of_descriptor(file, name) && counts(name) && fate(TIMES, name) == FAIL)
    return -1;
  return (int)syscall(SYS_utimensat, file, NULL, times, 0);
}
