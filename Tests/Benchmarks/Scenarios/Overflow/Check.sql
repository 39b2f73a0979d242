SELECT count(*), sum(length(ZBODY)), sum(length(ZIMAGE)), sum(ZNUMBER),
  hex(sha3_query('SELECT Z_PK, Z_ENT, Z_OPT, ZBODY, ZIMAGE, ZNUMBER FROM ZPAGE ORDER BY Z_PK'))
FROM ZPAGE;
