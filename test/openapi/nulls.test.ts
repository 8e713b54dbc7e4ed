import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Schema } from '../../src/openapi/types.ts';
import { manualClock } from '../clock.ts';
import { createPartner, startPatchbay } from '../harness.ts';
import { operationsOf } from './arbitrary.ts';
import { programDocument } from './program-document.ts';

/** Source: docs/contract.md, section 1, "null": in an optional field it is the same as the field's absence. */

const patchbay = await startPatchbay({ after }, { clock: manualClock(), config: { roles: ['api'] } });
const partner = await createPartner({ after }, patchbay);
const { chat, profile } = await partner.client('ann');
const document = await programDocument();

type Path = readonly string[];

const opened = (schema: Schema): Schema => {
  const reference = schema.$ref ?? schema.anyOf?.find(({ $ref }) => $ref)?.$ref;
  if (reference)
    return opened(document.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {});
  return schema.anyOf?.find(({ properties }) => properties) ?? schema;
};

/** Every optional field of a body, and of the objects in it. */
function optionalIn(schema: Schema, at: Path = []): Path[] {
  const { properties = {}, required = [] } = opened(schema);
  return Object.entries(properties).flatMap(([name, inner]) => [
    ...(required.includes(name) ? [] : [[...at, name]]),
    ...optionalIn(inner, [...at, name]),
  ]);
}

/** The body with a value at a place; the objects on the way are made. */
function withAt(body: unknown, [name = '', ...rest]: Path, value: unknown): object {
  const object: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  object[name] = rest.length === 0 ? value : withAt(object[name], rest, value);
  return object;
}

const absentAt = (body: object, path: Path): object =>
  JSON.parse(JSON.stringify(withAt(body, path, undefined)));

/** What each address takes, mostly for a reason that is not ours to find; where nothing is said, the description's example. */
const bodies: Record<string, object> = {
  'POST /api/partners/push-messages/': { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hi' } },
  'POST /api/partners/stream/': {
    type: 'regular_message',
    payload: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hi' } },
  },
  'POST /api/partners/connector/': {
    event: 'message_created',
    chat: { uuid: chat },
    sender: { name: 'Olga' },
    timestamp: 1,
    message: { type: 'text', text: 'Hi' },
  },
};

const filled = (path: string) =>
  path.replace('{uuid}', profile).replace('{id}', 'x').replace('{number}', '12025550123');

for (const { method, path, operation } of operationsOf(document)) {
  const content = operation.requestBody?.content['application/json'];
  if (!content) continue;
  test(`${method} ${path} takes null in an optional field for its absence`, async () => {
    const body = bodies[`${method} ${path}`] ?? (content.example as object);
    const ask = async (sent: object) => {
      const answer = await patchbay.call(method, filled(path), { headers: partner.token, body: sent });
      return { status: answer.status, text: JSON.stringify(answer.body) };
    };
    for (const place of optionalIn(content.schema)) {
      const [absent, nothing] = [await ask(absentAt(body, place)), await ask(withAt(body, place, null))];
      assert.ok(!nothing.text.includes('may not be null'), `${place.join('.')}: ${nothing.text}`);
      assert.equal(
        nothing.status,
        absent.status,
        `${place.join('.')}: ${nothing.text} and not ${absent.text}`,
      );
    }
  });
}
