WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :objects)
INSERT INTO ZROW (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTAGS)
SELECT i, 1, 1, 'Title ' || i,
  'tag ' || (i % 1000) || ',tag ' || ((i * 7919) % 5000) || ',tag ' || ((i * 31) % (:objects / 10))
FROM n;
