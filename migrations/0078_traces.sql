-- The trace that the row belongs to, and the span that it continues, as in the header `traceparent`. Null when tracing
-- is off, or when the trace is not sampled.
alter table messages add column trace text;
alter table events add column trace text;
