-- What was uploaded; the bytes are in the data folder or in object storage, under project_id/id.
create table attachments (
  project_id uuid not null references projects,
  id uuid not null,
  name text not null,
  media_type text not null,
  size integer not null check (size > 0),
  -- The client who alone may send it; null where the service itself has uploaded it for somebody.
  uploaded_by text,
  created_at timestamptz not null,
  -- When a message first named it. What nobody ever sends is tidied away.
  used_at timestamptz,
  primary key (project_id, id)
);
create index attachments_unused on attachments (created_at) where used_at is null;
