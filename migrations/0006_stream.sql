-- When a project's last twenty stream tasks were accepted, oldest first: the next one comes a second after the oldest.
create table stream_pace (
  project_id uuid primary key references projects,
  accepted timestamptz[] not null,
  -- How many of them the last statement added: they are what it answers with.
  added integer not null
) with (fillfactor = 50);

-- The first reaction of each kind that the client showed to a message. That it was read is told by `read_at`.
alter table messages add column replied_at timestamptz, add column clicked_at timestamptz;

-- What a client who writes may be reacting to.
create index messages_stream on messages (project_id, chat_id, sent_at) where source = 'stream';
