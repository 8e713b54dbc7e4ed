-- The number up to which a client has read, or received, our messages. The number of the last ones may be unknown yet:
-- the answer of their send is still on the way. Kept for minutes.
create table early_marks (
  project_id uuid not null,
  channel_id uuid not null,
  chat_external_id text not null,
  state text not null check (state in ('sent', 'delivered', 'read', 'undelivered')),
  up_to numeric not null,
  received_at timestamptz not null,
  primary key (project_id, channel_id, chat_external_id, state),
  foreign key (project_id, channel_id) references channels on delete cascade
);
create index early_marks_age on early_marks (received_at);
