-- A plan that was kept from a statement of one row joined the rows before and after row by row: a hundred million pairs for
-- an update of ten thousand profiles. Both are sorted together instead, and what is left is found by the key.
create or replace function keep_profile_tags() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then
      insert into profile_tags (project_id, tag, profile_id)
      select distinct project_id, unnest(tags), id from after;
    when 'UPDATE' then
      with moved as materialized (
        select project_id, tag, id, min(side) as first_side, max(side) as last_side
        from (
          select project_id, unnest(tags) as tag, id, 1 as side from before
          union all
          select project_id, unnest(tags), id, 2 from after
        ) as tagged
        group by project_id, tag, id
        having min(side) = max(side)
      ), removed as (
        delete from profile_tags using moved
        where first_side = 1 and profile_tags.project_id = moved.project_id and profile_tags.tag = moved.tag
          and profile_id = id
      )
      insert into profile_tags (project_id, tag, profile_id)
      select project_id, tag, id from moved where last_side = 2;
    when 'DELETE' then
      delete from profile_tags using before
      where profile_tags.project_id = before.project_id and profile_id = before.id and tag = any (before.tags);
  end case;
  return null;
end $$;
