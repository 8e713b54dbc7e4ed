-- The versions of the mailing's scenarios that a person approved, by the scenario's id. Null where nobody did.
alter table mailings add column approved_versions jsonb;
