SELECT count(*), count(ZPRINTEDDATE), min(Z_PK), max(Z_PK), sum(Z_ENT), sum(Z_OPT)
FROM ZEVENTPRINTEDDATE;
