"""The job with sqlite-utils: SOURCE is read, DESTINATION is made."""
import sys

import sqlite_utils

source = sqlite_utils.Database(sys.argv[1])
destination = sqlite_utils.Database(sys.argv[2])
destination["ZRECORD"].insert_all(
    (
        {
            "Z_PK": row["Z_PK"],
            "Z_ENT": 1,
            "Z_OPT": 1,
            "ZHEADLINE": row["ZTITLE"],
            "ZISUNREAD": 1 - row["ZISREAD"],
            "ZLOCATION": row["ZPLACE"],
            "ZNUMBER": row["ZCOUNT"] * 2 + 1,
            "ZSECONDS": row["ZTIMESTAMP"] + 978307200.0,
            "ZSHARE": row["ZSCORE"] / 100.0,
        }
        for row in source["ZEVENT"].rows
    ),
    pk="Z_PK", batch_size=10_000)
