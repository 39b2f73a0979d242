INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZRATING) VALUES
  (1, 1, 1, 'Milk', 'Two bottles, and bread', '4'),
  (2, 1, 1, 'Ann', 'Call her on Monday', 'best'),
  (3, 1, 1, NULL, 'The key is under the stone', NULL),
  (4, 1, 1, NULL, NULL, NULL);
UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Note';
