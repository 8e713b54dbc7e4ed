-- A file that a client sent, and where its bytes are to be had. The attachment of the same id is there once they are fetched.
create table client_files (
  project_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  -- {"url": …} is open to everybody; {"reference": …} is for the channel's adapter.
  source jsonb not null,
  name text not null,
  created_at timestamptz not null,
  -- When to fetch it, or until when a process does; null once it is fetched or given up.
  due_at timestamptz,
  attempts smallint not null default 0,
  problem text,
  -- A message that still has the adapter's reference for its address.
  message_id uuid,
  primary key (project_id, id),
  foreign key (project_id, channel_id) references channels on delete cascade
);
create index client_files_due on client_files (due_at) where due_at is not null;
create index client_files_unnamed on client_files (id) where message_id is not null;

-- References that nothing has resolved so far. Telegram's ids of files are good for as long as the bot is.
insert into client_files (project_id, id, channel_id, source, name, created_at, due_at, message_id)
select messages.project_id, gen_random_uuid(), messages.channel_id,
  jsonb_build_object('reference', substr(content ->> 'url', 15)), content_type, messages.created_at, messages.created_at,
  messages.id
from messages
join channels on channels.project_id = messages.project_id and channels.id = messages.channel_id
where direction = 'in' and content ->> 'url' like 'telegram-file:%';
