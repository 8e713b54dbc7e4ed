-- Profiles --------------------------------------------------------------------------------------------------

create trigger profiles_added after insert on profiles referencing new table as changed
  for each statement execute function count_rows();
create trigger profiles_removed after delete on profiles referencing old table as changed
  for each statement execute function count_rows();

-- `profiles.tags` the other way round, so that the profiles with a tag can be listed in pages.
create table profile_tags (
  project_id uuid not null,
  tag text not null,
  profile_id uuid not null,
  primary key (project_id, tag, profile_id)
);
create trigger profile_tags_added after insert on profile_tags referencing new table as changed
  for each statement execute function count_rows('tag');
create trigger profile_tags_removed after delete on profile_tags referencing old table as changed
  for each statement execute function count_rows('tag');

create function keep_profile_tags() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then
      insert into profile_tags (project_id, tag, profile_id)
      select distinct project_id, unnest(tags), id from after;
    when 'UPDATE' then
      delete from profile_tags using before join after using (project_id, id)
      where profile_tags.project_id = before.project_id and profile_id = before.id
        and tag = any (before.tags) and tag <> all (after.tags);
      insert into profile_tags (project_id, tag, profile_id)
      select distinct before.project_id, tag, before.id
      from before join after using (project_id, id), unnest(after.tags) as tag
      where tag <> all (before.tags);
    when 'DELETE' then
      delete from profile_tags using before
      where profile_tags.project_id = before.project_id and profile_id = before.id and tag = any (before.tags);
  end case;
  return null;
end $$;

create trigger profiles_tagged after insert on profiles referencing new table as after
  for each statement execute function keep_profile_tags();
create trigger profiles_retagged after update on profiles referencing old table as before new table as after
  for each statement execute function keep_profile_tags();
create trigger profiles_untagged after delete on profiles referencing old table as before
  for each statement execute function keep_profile_tags();

-- Their audit -------------------------------------------------------------------------------------------------

-- What became of profiles, and whose doing it was; written in the statement that does it. A profile that was merged
-- into another is gone, and its records stay.
create table profile_audit (
  project_id uuid not null,
  id uuid not null,
  profile_id uuid not null,
  action text not null check (action in ('created', 'updated', 'merged', 'deleted')),
  -- {field: [old, new]}
  changes jsonb not null,
  actor_type text not null,
  actor_name text not null,
  created_at timestamptz not null,
  primary key (project_id, id)
) partition by range (id);
create index profile_audit_profile on profile_audit (project_id, profile_id, id);
create table profile_audit_default partition of profile_audit default;

create trigger profile_audit_added after insert on profile_audit referencing new table as changed
  for each statement execute function count_rows();

-- The fields of a profile that its audit tells of, as the API shows them. No profile has none.
create function profile_facts(profile profiles) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'external_id', profile.external_id, 'phone_number', profile.phone_number, 'email', profile.email,
    'name', profile.name, 'timezone', profile.timezone,
    'pda_agreed', to_char(profile.pda_agreed at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'tags', coalesce(profile.tags, '{}'), 'attrs', coalesce(profile.attrs, '{}')
  )
$$;

-- What differs between two states of a profile, as {field: [old, new]}; null stands for no profile.
create function profile_changes(old_state profiles, new_state profiles) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(field, jsonb_build_array(before.value, after.value)), '{}')
  from jsonb_each(profile_facts(old_state)) as before (field, value)
  join jsonb_each(profile_facts(new_state)) as after (field, value) using (field)
  where before.value <> after.value
$$;

-- Makes the monthly partitions from the month of `moment` on that do not exist yet.
create or replace function ensure_partitions(moment timestamptz, months integer) returns integer
language plpgsql as $$
declare
  parent text;
  first_day timestamptz;
  made integer := 0;
  partition_name text;
begin
  foreach parent in array array['messages', 'events', 'attempts', 'profile_audit'] loop
    for i in 0 .. months - 1 loop
      first_day := (date_trunc('month', moment at time zone 'utc') + make_interval(months => i)) at time zone 'utc';
      partition_name := format('%s_%s', parent, to_char(first_day at time zone 'utc', 'YYYYMM'));
      if to_regclass(partition_name) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)', partition_name, parent,
          uuid_floor(first_day), uuid_floor((first_day at time zone 'utc' + interval '1 month') at time zone 'utc'));
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end $$;

select ensure_partitions(now(), 3);

-- What is there already.
insert into row_counts (project_id, table_name, part, slot, row_count)
select project_id, 'profiles', '', gen_random_uuid(), count(*) from profiles group by project_id;
insert into profile_tags (project_id, tag, profile_id)
select distinct project_id, unnest(tags), id from profiles;
