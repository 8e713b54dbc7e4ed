-- Push messages are counted where they are queued, since every page of their list says the count: `messages`, part `push`.
insert into row_counts (project_id, table_name, part, slot, row_count)
select project_id, 'messages', 'push', gen_random_uuid(), count(*) from messages
where source in ('push', 'stream') group by project_id;
