-- The demo's keys have been on a screen: they end, unless somebody says that they are in use. Those of earlier demos stay.
alter table demos add column bot_key_id uuid;
alter table demos add column application_id uuid;
alter table demos add column keys_end_at timestamptz;
