import type { Static, TObject } from 'typebox';
import type { InboundRequest } from '../../channels/contract/inbound.ts';
import { parseJson } from '../../platform/http/json.ts';
import { type Reader, reader } from '../../platform/http/validation.ts';

/** Compiling a schema costs a thousand times its use, and an adapter has a few constant schemas. */
const readers = new WeakMap<TObject, Reader<unknown>>();

/** Builds the request for an adapter, with the JSON reader that it may not import. */
export const inboundRequest = (
  headers: InboundRequest['headers'],
  body: Buffer,
  query = new URLSearchParams(),
): InboundRequest => ({
  headers,
  query,
  body,
  json: (schema) => readerOf(schema)(parseJson(body)),
});

function readerOf<S extends TObject>(schema: S): Reader<Static<S>> {
  const known = readers.get(schema);
  // The entry for a schema is always its own reader.
  if (known) return known as Reader<Static<S>>;
  const fresh = reader(schema);
  readers.set(schema, fresh);
  return fresh;
}
