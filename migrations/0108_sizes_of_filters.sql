-- The characters of the filter's JSON. PostgreSQL would print up to 16 MB of filters to count those of a page.
alter table mailings add column filter_characters integer
  generated always as (length(filter_chats::text)) stored;
