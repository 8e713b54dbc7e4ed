-- The message that a code was taken for; null when a person or a partner issued it.
alter table promocodes
  add column reserved_for uuid,
  add constraint promocodes_reserved check (status = 'ISSUED' or reserved_for is null);
create index promocodes_reserved_for on promocodes (project_id, reserved_for) where reserved_for is not null;

-- The codes of a group in the order in which they are taken: what lapses first, then the oldest. Neither issued nor lapsed
-- ones are walked past. It takes the other index's place, so that a new code is written into no more of them than before.
create index promocodes_in_order on promocodes
  (project_id, group_id, status, coalesce(expires_at, 'infinity'::timestamptz), id);
drop index promocodes_of_group;

-- Texts name groups by name, which may be as long as a code.
create index promocode_groups_name on promocode_groups (project_id, promocode_digest(name), id);

-- Said of a message that failed: no call of it can have been heard, so that nobody has seen what was in it.
alter table messages add column unheard boolean not null default false;

-- A code goes back when its message is cancelled (PENDING says that no call was heard), and when it failed unheard.
-- It stays with the chat in every other end. A provider that took a message and then reported it as undelivered has had
-- the text: such reports are wrong now and then, and a code that two clients hold is worse than one that nobody uses.
create function give_promocodes_back() returns trigger language plpgsql as $$
begin
  update promocodes set
    status = 'AVAILABLE', issued_chat_id = null, issued_at = null, reserved_for = null,
    updated_at = greatest(updated_at, now())
  where project_id = new.project_id and reserved_for = new.id;
  return null;
end $$;

create trigger messages_promocodes after update of state on messages for each row
  when (
    (new.state = 'CANCELLED' or new.state in ('UNDELIVERED', 'ERROR') and new.unheard)
    and old.state <> new.state
    and new.content ? 'promocodes'
  )
  execute function give_promocodes_back();
