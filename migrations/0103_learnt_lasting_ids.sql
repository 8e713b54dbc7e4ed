-- When the id was learnt: the latest one of a chat is where the client is now. Null for ids from before this column.
alter table lasting_ids add column learnt_at timestamptz;
