SELECT count(*), count(r.ZTAG), sum(length(r.ZTITLE)), sum(length(t.ZNAME)),
  count(DISTINCT t.ZNAME), (SELECT count(*) FROM ZTAG)
FROM ZROW AS r LEFT JOIN ZTAG AS t ON t.Z_PK = r.ZTAG;
