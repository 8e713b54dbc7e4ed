-- When somebody was last at work in this project: what they do in others is none of its administrators' business.
alter table operators add column seen_at timestamptz;
