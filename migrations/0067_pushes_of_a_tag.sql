-- A partner asks for the push messages with a tag. A tag never changes, so a claim rewrites no entry.
create index concurrently messages_pushes_of_tag on messages (project_id, tag, id)
  where tag is not null and source in ('push', 'stream');
