-- How a channel does. `called_at`: its provider called its address for the first time. `asked_at`: the provider was
-- asked how the channel stands; `told` has its warnings, and `lapses_at` the end of the credentials. `found` has the
-- warnings from our own rows.
alter table channels
  add column called_at timestamptz,
  add column asked_at timestamptz,
  add column lapses_at timestamptz,
  add column told jsonb not null default '[]',
  add column found jsonb not null default '[]';

-- The provider's reason for a rejection.
alter table templates add column approval_detail text not null default '';
