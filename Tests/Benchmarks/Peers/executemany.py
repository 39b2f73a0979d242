"""The job in Python's standard library: SOURCE is read, DESTINATION is made."""
import sqlite3
import sys

source = sqlite3.connect(sys.argv[1])
destination = sqlite3.connect(sys.argv[2])
destination.execute("""
    CREATE TABLE ZRECORD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISUNREAD INTEGER,
      ZNUMBER INTEGER, ZSECONDS FLOAT, ZSHARE FLOAT, ZHEADLINE VARCHAR, ZLOCATION VARCHAR)""")


def records():
    rows = source.execute(
        "SELECT Z_PK, ZCOUNT, ZISREAD, ZPLACE, ZSCORE, ZTIMESTAMP, ZTITLE FROM ZEVENT")
    for key, count, is_read, place, score, time, title in rows:
        yield key, 1 - is_read, count * 2 + 1, time + 978307200.0, score / 100.0, title, place


destination.executemany("INSERT INTO ZRECORD VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?)", records())
destination.commit()
destination.close()
