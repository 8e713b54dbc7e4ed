-- Addresses are compared as they are stored, in the one form that the program makes. What this server's lower() folds
-- depends on its locale: only ASCII letters become small here. Domains of other letters follow at the program's start.
drop index users_email;
drop index operators_email;

-- Of two that become one, the one that had this form stays found, or else the older one. `doctor` reports the other.
update users set email = form.email
from (
  select id, lower(email collate "C") as email, row_number() over (
    partition by lower(email collate "C") order by email = lower(email collate "C") desc, created_at, id
  ) as place
  from users
) as form
where form.id = users.id and place = 1 and users.email <> form.email;

update operators set email = form.email
from (
  select project_id, id, lower(email collate "C") as email, row_number() over (
    partition by project_id, lower(email collate "C") order by email = lower(email collate "C") desc, created_at, id
  ) as place
  from operators
) as form
where form.project_id = operators.project_id and form.id = operators.id and place = 1 and operators.email <> form.email;

create unique index users_email on users (email);
create unique index operators_email on operators (project_id, email);
