SELECT count(*), count(v.ZPLACE), sum(v.ZDAY), sum(length(p.ZCITY)), count(DISTINCT p.ZCITY),
  (SELECT count(*) FROM ZPLACE)
FROM ZVISIT AS v LEFT JOIN ZPLACE AS p ON p.Z_PK = v.ZPLACE;
