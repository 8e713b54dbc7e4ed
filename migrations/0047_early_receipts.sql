-- Receipts by a provider's id that no message has yet: the answer of its send is still on the way. Kept for minutes.
create table early_receipts (
  project_id uuid not null,
  channel_id uuid not null,
  provider_id text not null,
  state text not null check (state in ('sent', 'delivered', 'read', 'undelivered')),
  detail text not null,
  received_at timestamptz not null,
  primary key (project_id, channel_id, provider_id, state),
  foreign key (project_id, channel_id) references channels on delete cascade
);
create index early_receipts_age on early_receipts (received_at);
