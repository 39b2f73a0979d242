INSERT INTO ZFAILEDBANKINFO (Z_PK, Z_ENT, Z_OPT, ZDETAILS, ZNAME, ZCITY, ZSTATE)
SELECT id, 2, 1, id, name, city, state FROM source.failed_banks;
INSERT INTO ZFAILEDBANKDETAILS (Z_PK, Z_ENT, Z_OPT, ZZIP, ZINFO, ZCLOSEDATE, ZUPDATEDDATE)
SELECT id, 1, 1, zip, id, strftime('%s', close_date) - 978307200,
  strftime('%s', updated_date) - 978307200 FROM source.failed_banks;
