-- What starts a scenario without a message of the client.
create table scenario_event_starters (
  project_id uuid not null,
  id uuid not null,
  scenario_id integer not null,
  kind text not null check (kind in ('tag_added', 'tag_removed', 'attribute', 'promocode', 'date')),
  -- The tag, the attribute, or the uuid of the promo codes' group. Empty for all groups.
  subject text not null,
  -- The new value of an attribute, empty for any value. The hour of a date.
  value text not null default '',
  is_enabled boolean not null default true,
  primary key (project_id, id),
  constraint scenario_event_starters_once unique (project_id, kind, subject, value),
  foreign key (project_id, scenario_id) references scenarios on delete cascade
);
create index scenario_event_starters_of on scenario_event_starters (project_id, scenario_id);

-- The starts that such events have asked for. A worker deletes a row in the statement that begins its run.
create table scenario_event_starts (
  project_id uuid not null,
  id bigint generated always as identity,
  -- The client, whose chat is chosen at the start.
  profile_id uuid,
  -- The chat, where the event names it.
  chat_id uuid,
  scenario_id integer not null,
  params jsonb not null,
  due_at timestamptz not null,
  primary key (project_id, id),
  check ((profile_id is null) <> (chat_id is null)),
  foreign key (project_id, scenario_id) references scenarios on delete cascade
);
create index scenario_event_starts_due on scenario_event_starts (project_id, due_at, id);
create index scenario_event_starts_of on scenario_event_starts (project_id, scenario_id);

-- The years for which a date has started a scenario.
create table scenario_date_starts (
  project_id uuid not null,
  scenario_id integer not null,
  attribute text not null,
  profile_id uuid not null,
  year smallint not null,
  primary key (project_id, scenario_id, attribute, profile_id, year),
  foreign key (project_id, scenario_id) references scenarios on delete cascade
);
create index scenario_date_starts_year on scenario_date_starts (year);

-- Every change of a profile leaves a record. Changes that a scenario makes start nothing: no scenario
-- starts itself, or another one that starts it again. Of a value and any value, the value counts.
create function queue_starts_by_profiles() returns trigger language plpgsql as $$
begin
  insert into scenario_event_starts (project_id, profile_id, scenario_id, params, due_at)
  select project_id, profile_id, scenario_id, params, created_at from (
    select distinct on (changed.id, starters.kind, starters.subject)
      changed.project_id, changed.id, changed.profile_id, changed.created_at, starters.scenario_id,
      case starters.kind
        when 'attribute' then jsonb_build_object('attribute', subject, 'value', changes -> 'attrs' -> 1 -> subject)
        else jsonb_build_object('tag', subject)
      end as params
    from changed
    join scenario_event_starters starters on starters.project_id = changed.project_id and is_enabled
    where action in ('created', 'updated') and actor_type <> 'scenario' and case starters.kind
      when 'tag_added' then changes -> 'tags' -> 1 ? subject and not changes -> 'tags' -> 0 ? subject
      when 'tag_removed' then changes -> 'tags' -> 0 ? subject and not changes -> 'tags' -> 1 ? subject
      when 'attribute' then
        changes -> 'attrs' -> 1 -> subject is distinct from changes -> 'attrs' -> 0 -> subject
        and (changes -> 'attrs' -> 1 ->> subject = value or value = '' and changes -> 'attrs' -> 1 ? subject)
      else false
    end
    order by changed.id, starters.kind, starters.subject, starters.value desc
  ) started
  order by id;
  return null;
end $$;

create trigger profile_audit_starts after insert on profile_audit referencing new table as changed
  for each statement execute function queue_starts_by_profiles();

-- A promo code counts as used when a person or a partner issues it to a chat, or confirms a code that a message had.
-- Codes that messages take start nothing. Of a group and all groups, the group counts.
create function queue_start_by_promocode() returns trigger language plpgsql as $$
begin
  insert into scenario_event_starts (project_id, chat_id, scenario_id, params, due_at)
  select project_id, new.issued_chat_id, scenario_id, jsonb_build_object('promocode', new.code), new.updated_at
  from scenario_event_starters
  where project_id = new.project_id and is_enabled and kind = 'promocode' and subject in (new.group_id::text, '')
  order by subject desc limit 1;
  return null;
end $$;

create trigger promocodes_start_in after insert on promocodes for each row
  when (new.issued_chat_id is not null and new.reserved_for is null)
  execute function queue_start_by_promocode();
create trigger promocodes_start_on after update of issued_chat_id, reserved_for on promocodes for each row
  when (
    new.issued_chat_id is not null and new.reserved_for is null
    and (old.issued_chat_id is distinct from new.issued_chat_id or old.reserved_for is not null)
  )
  execute function queue_start_by_promocode();
