create table promocode_groups (
  project_id uuid not null references projects,
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);

-- An index takes rows of 2,700 bytes at most, and a code of 1,024 characters may have 4,096: it is unique by its digest.
-- The backslashes are doubled because a cast to bytea would take them for escapes.
create function promocode_digest(code text) returns bytea language sql immutable strict parallel safe
return sha256(replace(code, '\', '\\')::bytea);

create table promocodes (
  project_id uuid not null,
  id uuid not null,
  group_id uuid not null,
  code text not null,
  status text not null check (status in ('AVAILABLE', 'ISSUED')),
  issued_chat_id uuid,
  issued_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  check ((status = 'ISSUED') = (issued_at is not null)),
  check (status = 'ISSUED' or issued_chat_id is null),
  constraint promocodes_group foreign key (project_id, group_id) references promocode_groups on delete cascade,
  constraint promocodes_issued_chat foreign key (project_id, issued_chat_id) references chats
);
create unique index promocodes_code on promocodes (project_id, promocode_digest(code));
create index promocodes_of_group on promocodes (project_id, group_id);

create trigger promocode_groups_added after insert on promocode_groups
  referencing new table as changed for each statement execute function count_rows();
create trigger promocode_groups_removed after delete on promocode_groups
  referencing old table as changed for each statement execute function count_rows();
create trigger promocodes_added after insert on promocodes
  referencing new table as changed for each statement execute function count_rows();
create trigger promocodes_removed after delete on promocodes
  referencing old table as changed for each statement execute function count_rows();
