-- How many rows a project has in a table, exact at any moment: counting a million takes a second, and every page of a
-- list says the count.
create table row_counts (
  project_id uuid not null references projects,
  table_name text not null,
  -- What is counted apart within the table; empty where nothing is.
  part text not null,
  -- A count is spread over slots, so that nobody who adds rows waits for the end of another's transaction: a writer
  -- takes a slot that is free at the moment, or makes one. There are as many as there ever were writers at once.
  slot uuid not null,
  row_count bigint not null,
  primary key (project_id, table_name, part, slot)
) with (fillfactor = 50);

create function add_to_row_count(project uuid, counted text, counted_part text, difference bigint) returns void
language plpgsql as $$
begin
  update row_counts set row_count = row_count + difference
  where project_id = project and table_name = counted and part = counted_part and slot = (
    select slot from row_counts
    where project_id = project and table_name = counted and part = counted_part
    limit 1 for update skip locked
  );
  if not found then
    insert into row_counts (project_id, table_name, part, slot, row_count)
    values (project, counted, counted_part, gen_random_uuid(), difference);
  end if;
end $$;

-- Keeps the count of the table whose statement-level triggers call it, with the rows of the statement as `changed`.
-- The argument, if there is one, is the column by which the table's parts are counted apart.
create function count_rows() returns trigger language plpgsql as $$
begin
  perform add_to_row_count(project_id, tg_table_name, part, case tg_op when 'INSERT' then count(*) else -count(*) end)
  from (
    select project_id, case tg_nargs when 0 then '' else to_jsonb(changed) ->> tg_argv[0] end as part from changed
  ) as counted
  group by project_id, part;
  return null;
end $$;
