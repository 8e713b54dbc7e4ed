-- Addresses that no mailing reaches. A phone number or an email has no platform, and counts wherever a client has it.
-- Any other address counts on its platform.
create table suppressions (
  project_id uuid not null references projects,
  id uuid not null,
  address text collate "C" not null check (address <> ''),
  platform text not null default '',
  added_at timestamptz not null,
  way text not null check (way in ('operator', 'import')),
  primary key (project_id, id)
);
create unique index suppressions_address on suppressions (project_id, address, platform);

create trigger suppressions_added after insert on suppressions
  referencing new table as changed for each statement execute function count_rows();
create trigger suppressions_removed after delete on suppressions
  referencing old table as changed for each statement execute function count_rows();
