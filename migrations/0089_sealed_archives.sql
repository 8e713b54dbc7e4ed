-- Archives are encrypted from now on. Those of before are plain, and so are those that the previous version still makes.
alter table archives add column is_sealed boolean not null default false;
