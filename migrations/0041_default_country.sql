-- The country by which a project's files and people write national phone numbers; null where none is agreed.
alter table projects add column default_country text check (default_country ~ '^[A-Z]{2}$');
