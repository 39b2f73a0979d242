-- A company and a tag for every hundred objects; agencies and labels push their keys aside.
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
INSERT INTO ZAGENCY (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'Agency ' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :objects / 100)
INSERT INTO ZCOMPANY (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 2, 1, 'Company ' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, 3, 1, 'Label ' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :objects / 100)
INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, 5, 1, 'Tag ' || i FROM n;
WITH RECURSIVE n(i) AS (
  SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :objects - 200 - 2 * (:objects / 100))
INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZEMPLOYER, ZNAME)
SELECT i, 4, 1, 1 + (i * 7919) % (:objects / 100), 'Person ' || i FROM n;
-- Two tags for each person, in the order of the table's key.
WITH pairs(person, tag) AS (
  SELECT Z_PK, 1 + Z_PK % (:objects / 100) FROM ZPERSON
  UNION ALL
  SELECT Z_PK, 1 + (Z_PK + 1 + (Z_PK * 31) % (:objects / 100 - 1)) % (:objects / 100) FROM ZPERSON)
INSERT INTO Z_4TAGS (Z_4PERSONS, Z_5TAGS) SELECT person, tag FROM pairs ORDER BY person, tag;
