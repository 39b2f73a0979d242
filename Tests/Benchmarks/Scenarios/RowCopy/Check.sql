SELECT count(*), min(Z_PK), max(Z_PK), sum(Z_ENT), sum(Z_OPT), sum(ZCOUNT), sum(ZISREAD),
  sum(length(ZPLACE)), sum(ZSCORE), sum(ZTIMESTAMP), sum(length(ZTITLE))
FROM ZRECORD;
