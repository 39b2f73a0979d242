"""The import as people write it: row by row, prepared statements, one transaction."""
import datetime
import sqlite3
import sys

source = sqlite3.connect(sys.argv[1])
destination = sqlite3.connect(sys.argv[2])
with open(sys.argv[3]) as preparation, open(sys.argv[4]) as indexes:
    destination.executescript(preparation.read())
    after = indexes.read()
epoch = datetime.datetime(2001, 1, 1)


def seconds(text):
    if text is None:
        return None
    date = datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S")
    return (date - epoch).total_seconds()


cursor = destination.cursor()
for row in source.execute("SELECT id, name, city, state, zip, close_date, updated_date FROM failed_banks"):
    key, name, city, state, code, closed, updated = row
    cursor.execute(
        "INSERT INTO ZFAILEDBANKINFO (Z_PK, Z_ENT, Z_OPT, ZDETAILS, ZNAME, ZCITY, ZSTATE) "
        "VALUES (?, 2, 1, ?, ?, ?, ?)", (key, key, name, city, state))
    cursor.execute(
        "INSERT INTO ZFAILEDBANKDETAILS (Z_PK, Z_ENT, Z_OPT, ZZIP, ZINFO, ZCLOSEDATE, ZUPDATEDDATE) "
        "VALUES (?, 1, 1, ?, ?, ?, ?)", (key, code, key, seconds(closed), seconds(updated)))
destination.commit()
destination.executescript(after)
destination.close()
