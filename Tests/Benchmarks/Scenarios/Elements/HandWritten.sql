CREATE TEMP TABLE parts (row INTEGER, name TEXT);
WITH RECURSIVE part(row, name, rest) AS (
  SELECT Z_PK, NULL, ZTAGS || ',' FROM source.ZROW
  UNION ALL
  SELECT row, substr(rest, 1, instr(rest, ',') - 1), substr(rest, instr(rest, ',') + 1)
  FROM part WHERE rest <> '')
INSERT INTO parts SELECT row, name FROM part WHERE name <> '';
INSERT INTO ZTAG (Z_ENT, Z_OPT, ZNAME)
SELECT 2, 1, name FROM parts GROUP BY name ORDER BY min(rowid);
INSERT INTO ZROW (Z_PK, Z_ENT, Z_OPT, ZTITLE)
SELECT Z_PK, 1, 1, ZTITLE FROM source.ZROW ORDER BY Z_PK;
INSERT OR IGNORE INTO Z_1TAGS (Z_1ROWS, Z_2TAGS)
SELECT p.row, t.Z_PK FROM parts AS p JOIN ZTAG AS t ON t.ZNAME = p.name ORDER BY 1, 2;
