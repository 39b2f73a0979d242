-- Each of the last two columns reads one index alone.
SELECT count(*), min(Z_PK), max(Z_PK), sum(Z_ENT), sum(Z_OPT), sum(length(ZHEADLINE)),
  sum(ZISUNREAD), sum(length(ZLOCATION)), sum(ZNUMBER), sum(ZSECONDS), sum(ZSHARE),
  (SELECT count(*) || max(ZHEADLINE) FROM ZRECORD WHERE ZHEADLINE > 'Event number 5'),
  (SELECT count(*) || max(ZLOCATION) FROM ZRECORD WHERE ZLOCATION > 'Place 4')
FROM ZRECORD;
