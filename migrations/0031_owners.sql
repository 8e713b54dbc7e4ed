-- Who runs the installation, and by default alone may make projects. The first person there was is one.
alter table users add column is_owner boolean not null default false;
update users set is_owner = true where id = (select id from users order by created_at, id limit 1);
