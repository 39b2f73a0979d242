-- An album for every hundred objects, with a cover; two of three assets are photos.
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :objects / 100)
INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT, ZCOVER, Z2_COVER, ZNAME)
SELECT i, 1, 1, 1 + 3 * (i % (:objects / 400)), 3, 'Album ' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :objects - :objects / 100)
INSERT INTO ZASSET
  (Z_PK, Z_ENT, Z_OPT, ZALBUM, ZHEIGHT, ZWIDTH, ZADDED, ZSECONDS, ZTITLE)
SELECT i, iif(i % 3, 3, 4), 1, 1 + (i * 7919) % (:objects / 100), iif(i % 3, 1080 + i % 2000, NULL),
  iif(i % 3, 1920 + i % 3000, NULL), 700000000.25 + i * 61.5, iif(i % 3, NULL, i * 0.37),
  'Asset number ' || i
FROM n;
