-- The next run over a month continues behind the last key, and compares what the month has now with the digest.
-- Archives of earlier versions have neither. Rows that changed are in archives without a digest.
alter table archives add column last_key jsonb;
alter table archives add column digest numeric;
