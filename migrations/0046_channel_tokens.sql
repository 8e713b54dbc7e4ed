-- The access token of a channel whose provider gives one for its credentials.
create table channel_tokens (
  project_id uuid not null,
  channel_id uuid not null,
  -- Encrypted; null before the first one.
  sealed_token bytea,
  -- A token is renewed between the two moments.
  renew_at timestamptz,
  ends_at timestamptz,
  -- Until then one process fetches a token, and the others wait or use the old one.
  fetching_until timestamptz,
  primary key (project_id, channel_id),
  foreign key (project_id, channel_id) references channels on delete cascade
);
