-- Creates the missing monthly partitions from the month of `moment` on. PostgreSQL refuses a partition for a month that
-- has rows in the default one. Such a month stays there: it must not prevent all others.
create or replace function ensure_partitions(moment timestamptz, months integer) returns integer
language plpgsql as $$
declare
  parent text;
  first_day timestamptz;
  first_id uuid;
  end_id uuid;
  made integer := 0;
  partition_name text;
  has_rows boolean;
begin
  foreach parent in array array['messages', 'events', 'attempts', 'profile_audit'] loop
    for i in 0 .. months - 1 loop
      first_day := (date_trunc('month', moment at time zone 'utc') + make_interval(months => i)) at time zone 'utc';
      first_id := uuid_floor(first_day);
      end_id := uuid_floor((first_day at time zone 'utc' + interval '1 month') at time zone 'utc');
      partition_name := format('%s_%s', parent, to_char(first_day at time zone 'utc', 'YYYYMM'));
      if to_regclass(partition_name) is null then
        execute format('select exists (select from %I where id >= $1 and id < $2)', parent || '_default')
          into has_rows using first_id, end_id;
        if not has_rows then
          execute format('create table %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)',
            partition_name, parent, first_id, end_id, case parent when 'messages' then 50 else 100 end);
          made := made + 1;
        end if;
      end if;
    end loop;
  end loop;
  return made;
end $$;
