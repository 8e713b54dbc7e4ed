-- A person who is removed from a project and invited again has another membership, and is the same author.
alter table mailings add column author_user_id uuid;
update mailings set author_user_id = operators.user_id from operators
where mailings.approval = 'awaited' and operators.project_id = mailings.project_id and operators.id = mailings.author_id;
