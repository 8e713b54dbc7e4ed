import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Adapter } from '../src/channels/contract/adapter.ts';
import type { Verdict } from '../src/channels/contract/inbound.ts';
import { parseExactly } from '../src/platform/exact-json.ts';
import type { HttpApi } from '../src/simulator/http-api.ts';
import { clientOver } from './adapter.ts';
import { testOutbound } from './outbound.ts';

/** Bodies of our own, in the shape that the public sources show, and what an adapter makes of each. */
const Recorded = Type.Object({
  /** Repositories with their paths, and pages of documentation by their titles. */
  sources: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  webhooks: Type.Array(
    Type.Object({ what: Type.String(), body: Type.Unknown(), becomes: Type.Array(Type.Unknown()) }),
    { minItems: 1 },
  ),
  answers: Type.Array(
    Type.Object({ what: Type.String(), status: Type.Integer(), body: Type.Unknown(), means: Type.Unknown() }),
    { minItems: 1 },
  ),
});

/** Marks a number that JavaScript would change, until it is written again. */
const exactly = 'exactly ';

/** The file `recorded.json` beside a test. */
export const recordedBeside = (folder: string): Static<typeof Recorded> =>
  Value.Parse(
    Recorded,
    parseExactly(readFileSync(`${folder}/recorded.json`, 'utf8'), (source) => exactly + source),
  );

const written = (value: unknown): string =>
  JSON.stringify(value).replaceAll(new RegExp(`"${exactly}(-?\\d+)"`, 'g'), '$1');

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The same with fields that nobody knows yet, in every object. */
function withUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknown);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, one]) => [name, withUnknown(one)]);
  return { ...Object.fromEntries(fields), not_yet_known: [{ kind: 'new' }, null, 7] };
}

/** Every body has its events, whatever else the provider may add to it. */
export function areRead(
  { webhooks }: Pick<Static<typeof Recorded>, 'webhooks'>,
  deliver: (body: string) => Verdict,
): void {
  for (const { what, body, becomes } of webhooks) {
    for (const sent of [body, withUnknown(body)]) {
      const verdict = deliver(written(sent));
      assert.deepEqual(
        { what, events: verdict.accepted && plain(verdict.events) },
        { what, events: becomes },
      );
    }
  }
}

type Sender<Settings> = {
  adapter: Pick<Adapter<Settings>, 'send'>;
  settings: Settings;
  /** Answers at `root`, which the settings get as `api_root`. */
  provider: Pick<HttpApi, 'react' | 'root'>;
  /** The address of a client. */
  externalId: string;
};

/** Every answer to a message has its meaning, whatever else the provider may add to it. */
export async function areUnderstood<Settings>(
  lifetime: { after(cleanUp: () => unknown): void },
  { answers }: Pick<Static<typeof Recorded>, 'answers'>,
  { adapter, settings, provider: { react, root }, externalId }: Sender<Settings>,
): Promise<void> {
  const client = clientOver(testOutbound(lifetime));
  const own = { ...settings, api_root: root };
  const chat = { uuid: '01990000-0000-7000-8000-000000000002', externalId };
  const uuid = '01990000-0000-7000-8000-000000000001';
  const message = { uuid, type: 'text' as const, text: 'Hello', url: null, buttons: [], chat };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  for (const { what, status, body, means } of answers) {
    for (const given of [body, withUnknown(body)]) {
      const text = typeof given === 'string' ? given : written(given);
      react(() => ({ status, body: text, headers: { 'content-type': 'application/json' } }));
      assert.deepEqual(
        { what, result: plain(await adapter.send?.(message, own, client, attempt)) },
        { what, result: means },
      );
    }
  }
}
