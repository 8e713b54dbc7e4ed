-- A claim changes no value that an index is made of. PostgreSQL then rewrites no index entry, if the row's page has
-- room. So the end of a lease has its own column, and the queue's indexes contain whether a message is queued instead
-- of its state. The free part of a page takes the claimed versions of its rows.
do $$
declare
  partition regclass;
begin
  for partition in select inhrelid from pg_inherits where inhparent = 'messages'::regclass loop
    execute format('alter table %s set (fillfactor = 50)', partition);
  end loop;
end $$;

drop index messages_queue, messages_starts, messages_failures, messages_of_mailing_failed;

alter table messages
  -- The end of a worker's lease. Null without a lease.
  add column leased_until timestamptz,
  add column is_queued boolean generated always as (state in ('PENDING', 'IN_PROCESS')) stored,
  add column has_failed boolean generated always as (state in ('UNDELIVERED', 'ERROR')) stored;

update messages set leased_until = due_at where lease is not null;

create index messages_queue on messages (channel_id, lane, due_at) where is_queued;
create index messages_starts on messages (project_id, due_at)
  where is_queued and channel_id is null and due_at is not null;
-- A channel's failed messages, by the end of their last call.
create index messages_failures on messages (channel_id, due_at) where has_failed;
-- The messages of a mailing that failed: few of very many.
create index messages_of_mailing_failed on messages (project_id, mailing_id, id)
  where mailing_id is not null and has_failed;

-- While a month is young, the planner knows nothing of its rows. It then looked messages up by `project_id` and `id` in
-- this index, and read all entries of the project. The ids of chats and clients are unique without the project.
drop index messages_history;
create index messages_history on messages (chat_id, id);
drop index profile_audit_profile;
create index profile_audit_profile on profile_audit (profile_id, id);

-- Creates the missing monthly partitions from the month of `moment` on.
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
        execute format('create table %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)',
          partition_name, parent,
          uuid_floor(first_day), uuid_floor((first_day at time zone 'utc' + interval '1 month') at time zone 'utc'),
          case parent when 'messages' then 50 else 100 end);
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end $$;
