-- People look for clients by how a name, a number or an address begins. The operator class compares by code points, so
-- that an index serves in any collation. A client with several names is found by the later ones, too.
create index profiles_name on profiles (project_id, lower(left(name, 64)) text_pattern_ops) where name is not null;
create index profiles_later_names on profiles
  (project_id, lower(left(substr(name, strpos(name, ' ') + 1), 64)) text_pattern_ops) where strpos(name, ' ') > 0;
create index profiles_phone on profiles (project_id, phone_number text_pattern_ops) where phone_number is not null;
create index profiles_email on profiles (project_id, lower(email) text_pattern_ops) where email is not null;

-- What became of a client: their promo codes, and the sessions of their chats.
create index promocodes_issued on promocodes (project_id, issued_chat_id, issued_at) where issued_chat_id is not null;
create index if not exists sessions_chat on sessions (project_id, chat_id, id);

-- The codes of a group are counted by status: `promocodes`, part `<group> <status>`.
create function count_promocodes() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then
      perform add_to_row_count(project_id, 'promocodes', group_id || ' ' || status, count(*))
      from after group by project_id, group_id, status;
    when 'DELETE' then
      perform add_to_row_count(project_id, 'promocodes', group_id || ' ' || status, -count(*))
      from before group by project_id, group_id, status;
    when 'UPDATE' then
      perform add_to_row_count(project_id, 'promocodes', group_id || ' ' || status, sum(difference)::bigint)
      from (
        select project_id, group_id, status, 1 as difference from after
        union all
        select project_id, group_id, status, -1 from before
      ) as moved
      group by project_id, group_id, status having sum(difference) <> 0;
  end case;
  return null;
end $$;

create trigger promocodes_counted_in after insert on promocodes referencing new table as after
  for each statement execute function count_promocodes();
create trigger promocodes_counted_on after update on promocodes referencing old table as before new table as after
  for each statement execute function count_promocodes();
create trigger promocodes_counted_out after delete on promocodes referencing old table as before
  for each statement execute function count_promocodes();

-- What is there already.
insert into row_counts (project_id, table_name, part, slot, row_count)
select project_id, 'promocodes', group_id || ' ' || status, gen_random_uuid(), count(*) from promocodes
group by project_id, group_id, status;
