-- The worked example of the page on plain databases: banks that were closed, their dates as text in
-- the time of New York. `sqlite3 banklist.sqlite3 < banklist.sql` makes the database.
CREATE TABLE failed_banks (
  id INTEGER PRIMARY KEY,
  name TEXT,
  city TEXT,
  state TEXT,
  zip INTEGER,
  close_date TEXT,
  updated_date TEXT
);
INSERT INTO failed_banks VALUES
  (1, 'First Harbor Bank', 'Port Ellis', 'ME', 4101, '2010-03-19 00:00:00', '2010-03-24 00:00:00'),
  (2, 'Prairie Savings', 'Dunmore', 'KS', 66002, '2010-01-08 00:00:00', '2010-03-19 00:00:00'),
  (5, 'Savings Bank of Linden', 'Linden', 'NJ', 7036, '2009-11-06 00:00:00', NULL),
  (9, 'Bank of the Mesa', 'Mesa Verde', 'CO', 81330, '2009-07-31 17:00:00', '2009-08-05 00:00:00');
