// The door to the C library: what Swift cannot call by itself is wrapped here.
#ifndef PASSAGE_CSQLITE_SHIM_H
#define PASSAGE_CSQLITE_SHIM_H

#include <sqlite3.h>

// Variadic functions cannot be called from Swift.
static inline int passage_sqlite3_db_config_int(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

// `sqlite3_config` is variadic too. The memory statistics take a lock that every allocation of
// every thread passes; only a program, before its first connection, may turn them off.
static inline int passage_sqlite3_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// The destructor constants are casts of integers to function pointers, which Swift cannot import.
static inline int passage_sqlite3_bind_text_transient(
    sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int passage_sqlite3_bind_blob_transient(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline void passage_sqlite3_result_text_transient(
    sqlite3_context *context, const char *bytes, sqlite3_uint64 count) {
  sqlite3_result_text64(context, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline void passage_sqlite3_result_blob_transient(
    sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

// The system's number of the last error of a file of a connection: of its databases and their logs. 0 when there was
// none. SQLite takes a read that fails with EIO for damage of the file, and keeps the number only here.
static inline int passage_sqlite3_file_errno(sqlite3 *db) {
  int number = 0;
  for (int index = 0; number == 0; index++) {
#if SQLITE_VERSION_NUMBER >= 3039000
    const char *name = sqlite3_db_name(db, index);
#else
    const char *name = index == 0 ? "main" : 0;
#endif
    if (name == 0) break;
    sqlite3_file *log = 0;
    sqlite3_file_control(db, name, SQLITE_FCNTL_LAST_ERRNO, &number);
    if (number != 0) break;
    if (sqlite3_file_control(db, name, SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK) continue;
    if (log == 0 || log->pMethods == 0 || log->pMethods->xFileControl == 0) continue;
    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number);
  }
  return number;
}

#endif
