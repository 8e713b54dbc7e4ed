import type { FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { Nullable } from './fields.ts';
import { canonicalPathOf, queryOf } from './target.ts';

const defaultLimit = 100;
const maxLimit = 100;
/** Beyond the size of every table, and still a number for every database. */
const maxOffset = 1_000_000_000;

/** The envelope's schema for an action's `response`. Source: docs/contract.md, section 1. */
export const PageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    count: Type.Integer(),
    next: Nullable(Type.String({ format: 'uri' })),
    previous: Nullable(Type.String({ format: 'uri' })),
    results: Type.Array(item),
  });

/** Whether a schema is an envelope. Its route then takes `limit` and `offset`. */
export const isPage = ({ properties = {} }: { properties?: object }): boolean =>
  'next' in properties && 'previous' in properties && 'results' in properties;

export type Envelope<Item> = { count: number; next: string | null; previous: string | null; results: Item[] };

export type Page = {
  /** 1 to 100. */
  limit: number;
  /** 0 and up. */
  offset: number;
  /** The answer. `count` is the number of all items. `results` are those of this page, newest first. */
  envelope<Item>(count: number, results: Item[]): Envelope<Item>;
};

/**
 * The page that a request asks for. Its links begin with the configured public address, never with the request's own
 * host. Invalid values fall back to the default. Source: docs/contract.md, section 1.
 */
export function pageOf(request: FastifyRequest): Page {
  const query = queryOf(request.url);
  const limit = Math.min(naturalNumber(query.getAll('limit')) || defaultLimit, maxLimit);
  const offset = Math.min(naturalNumber(query.getAll('offset')), maxOffset);
  const address = request.server.publicUrl + canonicalPathOf(request.url);
  const link = (to: number): string => `${address}?${pageQuery(query, limit, to)}`;
  return {
    limit,
    offset,
    envelope: (count, results) => ({
      count,
      next: offset + limit < count ? link(offset + limit) : null,
      previous: offset > 0 ? link(offset - limit) : null,
      results,
    }),
  };
}

/** The last of several values, as in `readQuery`. Digits only: any other text, a sign included, is 0. */
function naturalNumber(values: string[]): number {
  const text = values.at(-1);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : 0;
}

/** The other parameters stay as they are. The first page needs no offset. */
function pageQuery(query: URLSearchParams, limit: number, offset: number): URLSearchParams {
  const changed = new URLSearchParams(query);
  changed.set('limit', String(limit));
  if (offset > 0) changed.set('offset', String(offset));
  else changed.delete('offset');
  return changed;
}
