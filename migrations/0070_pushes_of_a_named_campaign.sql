-- A campaign's name may be longer than an entry of an index.
create index concurrently messages_pushes_of_named_campaign on messages (project_id, md5(campaign_name), id)
  where campaign_name is not null and source in ('push', 'stream');
