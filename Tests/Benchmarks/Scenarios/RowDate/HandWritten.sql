-- SQL has no medium style: its nearest relative of about the same length.
INSERT INTO ZEVENTPRINTEDDATE (Z_PK, Z_ENT, Z_OPT, ZPRINTEDDATE)
SELECT Z_PK, 1, 1, strftime('%m/%d/%Y at %H:%M:%S', ZTIMESTAMP + 978307200.0, 'unixepoch')
FROM source.ZEVENT;
