-- An address that signs a person in, once. Only the hash of its token is kept.
create table sign_in_links (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_age on sign_in_links (expires_at);

-- The demo project of an embedded database, if it was wanted: at most one row, ever.
create table demos (
  one boolean primary key default true check (one),
  -- Whoever claims the row makes the demo; a claim that ended in a crash lapses.
  claimed_until timestamptz not null,
  -- The Widget chat of the demo page; null until the demo is complete.
  project_id uuid,
  channel_id uuid,
  chat_id uuid,
  foreign key (project_id, chat_id) references chats
);
