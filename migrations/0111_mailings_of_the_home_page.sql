-- The home page asks for the mailings that await approval, and for those that failed. A client's page asks for the runs
-- of the last days. A project may have thousands of other mailings.
create index mailings_awaiting on mailings (project_id, id) where approval = 'awaited';
create index mailings_failed on mailings (project_id, id) where state = 'error';
create index mailings_begun on mailings (project_id, started_at) where started_at is not null;
