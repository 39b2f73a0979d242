// The plain C loop that the row lane is held against: step the reader, bind its cells, step the
// writer. One transaction, no journal, no sync before the end.
//
// plain-loop DESTINATION BEFORE SELECT INSERT AFTER: four SQL texts. SELECT gives the cells in the
// order of INSERT's parameters; BEFORE attaches the source as "source" and makes the tables, AFTER
// makes the indexes.

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static void check(sqlite3 *database, int code, const char *what) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  fprintf(stderr, "plain-loop: %s: %s\n", what, sqlite3_errmsg(database));
  exit(1);
}

int main(int count, char **arguments) {
  if (count != 6) {
    fprintf(stderr, "usage: plain-loop DESTINATION BEFORE SELECT INSERT AFTER\n");
    return 64;
  }
  sqlite3 *database = NULL;
  check(database, sqlite3_open(arguments[1], &database), "open");
  check(database, sqlite3_exec(database, arguments[2], NULL, NULL, NULL), "before");
  check(database, sqlite3_exec(database, "BEGIN", NULL, NULL, NULL), "begin");
  sqlite3_stmt *reader = NULL;
  sqlite3_stmt *writer = NULL;
  check(database, sqlite3_prepare_v2(database, arguments[3], -1, &reader, NULL), "select");
  check(database, sqlite3_prepare_v2(database, arguments[4], -1, &writer, NULL), "insert");
  int cells = sqlite3_column_count(reader);
  int code;
  while ((code = sqlite3_step(reader)) == SQLITE_ROW) {
    for (int cell = 0; cell < cells; cell++) {
      check(
          database, sqlite3_bind_value(writer, cell + 1, sqlite3_column_value(reader, cell)),
          "bind");
    }
    check(database, sqlite3_step(writer), "write");
    check(database, sqlite3_reset(writer), "reset");
  }
  check(database, code, "read");
  sqlite3_finalize(reader);
  sqlite3_finalize(writer);
  check(database, sqlite3_exec(database, "COMMIT", NULL, NULL, NULL), "commit");
  check(database, sqlite3_exec(database, arguments[5], NULL, NULL, NULL), "after");
  check(database, sqlite3_close(database), "close");
  return 0;
}
