-- A partner asks for the push messages that failed. An index on the state would be rewritten at each change of state.
create index concurrently messages_failed_pushes on messages (project_id, id) where has_failed and source in ('push', 'stream');
