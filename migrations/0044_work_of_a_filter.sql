-- A statement that would look at more characters than it may is refused before it begins: the embedded database has one
-- session, and nothing ends a statement there but its own end.
create function hold_to_work(units numeric, most numeric) returns boolean language plpgsql parallel safe as $$
begin
  if units > most then
    raise exception 'the filter looks at % characters, and may at %', units, most using errcode = 'PBWRK';
  end if;
  return true;
end $$;
