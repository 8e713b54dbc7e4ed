import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { isRecord } from './json.ts';
import { isPage } from './pages.ts';

/** Others wait while this much is written. It takes a few milliseconds. */
const mostAtOnce = 256 * 1024;

type Fields = Record<string, unknown>;

/** The schema of a page's items, if the answers of a schema may be pages. */
export function itemSchemaOf(schema: TSchema): Fields | null {
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) {
    return schema.anyOf.map(itemSchemaOf).find((found) => found !== null) ?? null;
  }
  if (!('properties' in schema) || !isRecord(schema.properties)) return null;
  const { properties } = schema;
  if (!isPage({ properties })) return null;
  const { results } = properties;
  return isRecord(results) && isRecord(results.items) ? results.items : null;
}

type PageAnswer = { results: Fields[] };

export const isPageAnswer = (answer: unknown): answer is PageAnswer =>
  isRecord(answer) && Array.isArray(answer.results) && answer.results.every(isRecord);

/** Writes a page item by item, and serves others in between. One item may have 64 KiB and more. */
export async function pageJson(
  reply: FastifyReply,
  items: Fields,
  { results, ...head }: PageAnswer,
): Promise<Buffer> {
  const write = reply.getSerializationFunction(items) ?? reply.compileSerializationSchema(items);
  const parts = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"results":[`)];
  let written = 0;
  for (const [index, item] of results.entries()) {
    if (written > mostAtOnce) {
      await nextTurn();
      written = 0;
    }
    const part = Buffer.from(index === 0 ? write(item) : `,${write(item)}`);
    written += part.length;
    parts.push(part);
  }
  parts.push(Buffer.from(']}'));
  return Buffer.concat(parts);
}
