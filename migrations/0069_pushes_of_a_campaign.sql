-- A partner asks for the push messages of a campaign. Its uuid never changes, so a claim rewrites no entry.
create index concurrently messages_pushes_of_campaign on messages (project_id, campaign_id, id)
  where campaign_id is not null and source in ('push', 'stream');
