-- A template that a channel's provider has, as it was read last. Its `pid` is the provider's name, and with the language
-- behind it for each further language of that name.
alter table templates
  add column channel_id uuid,
  add column name text,
  add foreign key (project_id, channel_id) references channels on delete set null (channel_id);
