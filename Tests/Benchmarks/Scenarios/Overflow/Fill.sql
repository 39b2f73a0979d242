-- Every row has a text or a blob of 300 to 16,000 bytes, 10.8 kB on average.
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :objects),
  sizes(i, bytes) AS (
    SELECT i, CAST(300 + 15700 * (1 - (i * 7919 % 1000) * (i * 7919 % 1000) / 1000000.0) AS INTEGER)
    FROM n)
INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZPICTURE, ZTEXT)
SELECT i, 1, 1, i % 1000, CASE WHEN i % 2 THEN randomblob(bytes) END,
  CASE WHEN i % 2 = 0 THEN substr(hex(randomblob(bytes / 2 + 1)), 1, bytes) END
FROM sizes;
