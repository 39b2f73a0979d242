WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :objects)
INSERT INTO ZROW (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTAG)
SELECT i, 1, 1, 'Title ' || i,
  CASE WHEN i % 10 = 0 THEN NULL ELSE 'tag ' || ((i * 7919) % (:objects / 2)) END
FROM n;
