SELECT count(*), min(Z_PK), max(Z_PK), sum(Z_ENT), sum(Z_OPT), sum(length(ZHEADLINE)),
  sum(ZISUNREAD), sum(length(ZLOCATION)), sum(ZNUMBER), sum(ZSECONDS), sum(ZSHARE)
FROM ZRECORD;
