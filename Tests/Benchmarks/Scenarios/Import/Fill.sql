CREATE TABLE failed_banks (
  id INTEGER PRIMARY KEY, name TEXT, city TEXT, state TEXT, zip INTEGER, close_date TEXT,
  updated_date TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :objects)
INSERT INTO failed_banks SELECT i, 'Bank number ' || i, 'City ' || (i % 977), 'S' || (i % 50),
  i % 99999, datetime(1200000000 + (i % 9999) * 3607, 'unixepoch'),
  datetime(1300000000 + (i % 8888) * 3607, 'unixepoch') FROM n;
