import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Adapter, OutgoingMessage, SendResult } from '../../src/channels/contract/adapter.ts';
import { sendErrors } from '../../src/channels/contract/errors.ts';
import type { InboundEvent, Verdict } from '../../src/channels/contract/inbound.ts';
import { HttpProblem } from '../../src/platform/http/errors.ts';
import { type OutboundAnswer, OutboundFailed } from '../../src/platform/outbound/outbound.ts';
import { Invalid } from '../../src/platform/problem.ts';
import { clientOver, type Delivery, deliver } from '../adapter.ts';

/** What the suite has to know of a messenger. */
export type Scene<Settings> = {
  settings: Settings;
  /** Absent where the messenger calls no address of ours. */
  inbound?: {
    /** A client's text, as the provider posts it. Its numbers may be any. */
    message: Record<string, unknown>;
    path?: string;
    /** What proves who calls, made for these very bytes with these settings. Absent where only the address is secret. */
    prove?(body: string, settings: Settings): Pick<Delivery, 'headers'> | { body: string };
    /** Settings with which another channel proves itself. */
    other?: Settings;
  };
  /** Absent where sending calls nobody. */
  outbound?: {
    /** The provider's answer to a message that it has accepted. */
    sent: { status: number; body: string };
    /** Whether any answer of 2xx means that the message was accepted. */
    anySuccess?: boolean;
  };
};

const message: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '777' },
};

const longestPauseMs = 45_000;

/** What every adapter owes, whatever its provider does. */
export function conforms<Settings>(adapter: Adapter<Settings>, scene: Scene<Settings>): void {
  facts(adapter);
  if (scene.inbound) receiving(adapter, scene.settings, scene.inbound);
  if (scene.outbound) sending(adapter, scene.settings, scene.outbound);
}

function facts<Settings>({
  platform,
  limits,
  carries,
  opensBy,
  recipientKeys,
  settings,
}: Adapter<Settings>): void {
  test(`${platform}: its limits and its settings make sense`, () => {
    assert.ok(carries.includes('text') && limits.text > 0 && limits.concurrency > 0);
    assert.ok(limits.perSecond === null || limits.perSecond > 0);
    assert.equal(new Set(opensBy).size, opensBy.length);
    assert.equal(new Set(recipientKeys).size, recipientKeys.length);
    for (const [name, schema] of Object.entries(settings.properties)) {
      const isLearnt = Reflect.get(schema, 'learnt') === true;
      assert.ok(
        isLearnt || Reflect.get(schema, 'description') !== undefined,
        `${name} is explained to nobody`,
      );
      assert.ok(
        !isLearnt || !settings.required?.includes(name),
        `${name} cannot be learnt before it is there`,
      );
    }
  });
}

function receiving<Settings>(
  adapter: Adapter<Settings>,
  settings: Settings,
  { message, path = '', prove = () => ({ headers: {} }), other }: NonNullable<Scene<Settings>['inbound']>,
): void {
  const { platform } = adapter;
  const post = (body: string, proof: object = prove?.(body, settings) ?? {}): Verdict =>
    deliver(adapter, settings, { path, body, ...proof });
  const eventsOf = (body: string): InboundEvent[] => {
    const verdict = post(body);
    assert.ok(verdict.accepted);
    return verdict.events;
  };
  const text = JSON.stringify(message);

  /** Our own API refuses a body by its fields; every other answer is a verdict. */
  const taken = (body: string): Verdict | 'invalid' => {
    try {
      return post(body);
    } catch (error) {
      assert.ok(
        error instanceof Invalid || (error instanceof HttpProblem && error.status === 400),
        String(error),
      );
      return 'invalid';
    }
  };

  test(`${platform}: a client's text is one message, and the same event twice is the same message`, () => {
    const [event, ...others] = eventsOf(text);
    assert.ok(event?.kind === 'message' && others.length === 0);
    assert.notEqual(event.message.externalId, '');
    assert.deepEqual(eventsOf(text), [event]);
  });

  test(`${platform}: nobody is heard who does not prove to be the provider of this very channel`, () => {
    if (!other) return assert.ok('address_secret' in adapter.settings.properties);
    const refused = { accepted: false, status: 403 };
    const bare = { headers: {}, body: text };
    assert.deepEqual(deliver(adapter, settings, { path, ...bare }), refused);
    assert.deepEqual(post(text, prove(text, other)), refused);
    const proof = prove(text, settings);
    if (!('headers' in proof)) return;
    const spoilt = Object.entries(proof.headers ?? {}).map(([name, value]) => [name, `${value}x`]);
    assert.deepEqual(post(text, { headers: Object.fromEntries(spoilt) }), refused);
  });

  test(`${platform}: a signature covers the very bytes, and not what they mean`, () => {
    const again = JSON.stringify(JSON.parse(text), null, 1);
    const proof = prove(text, settings);
    if (!('headers' in proof)) return;
    const verdict = deliver(adapter, settings, { path, ...proof, body: again });
    const isOfBytes = !isDeepStrictEqual(proof, prove(again, settings));
    if (isOfBytes) assert.deepEqual(verdict, { accepted: false, status: 403 });
    else assert.deepEqual(verdict.accepted && verdict.events, eventsOf(text));
  });

  test(`${platform}: an event is the same a year later, and after any other`, (t) => {
    const events = eventsOf(text);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 365 * 24 * 3_600_000 });
    taken(text.replace(/\d/, '7'));
    taken('{}');
    assert.deepEqual(eventsOf(text), events);
  });

  test(`${platform}: fields that nobody knows change nothing`, () => {
    assert.deepEqual(eventsOf(JSON.stringify({ ...message, unheard_of: { a: [1, null] } })), eventsOf(text));
  });

  test(`${platform}: a body that is cut off, deep, or of another form never fails`, () => {
    for (let end = 0; end < text.length; end += 7) taken(text.slice(0, end));
    taken(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    for (const body of ['null', '[]', '"text"', '0', '{}', '\uFEFF{}', 'no json', '\0']) taken(body);
    fc.assert(
      fc.property(fc.json(), (body) => void taken(body)),
      { numRuns: 200 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(message)), fc.jsonValue(), (field, value) => {
        taken(JSON.stringify({ ...message, [field]: value }));
      }),
      { numRuns: 200 },
    );
  });

  test(`${platform}: an id that JavaScript would round is not taken for another`, () => {
    const rounded = text.replace(/:\s?\d{3,}/g, ':9007199254740993');
    const told = taken(rounded);
    assert.ok(!JSON.stringify(told).includes('9007199254740992'));
  });

  test(`${platform}: there is nothing behind its addresses`, () => {
    assert.deepEqual(deliver(adapter, settings, { path: 'unheard-of', body: text }), {
      accepted: false,
      status: 404,
    });
  });
}

type Reply = { status: number; body?: string; headers?: Record<string, string>; truncated?: boolean };

function sending<Settings>(
  adapter: Adapter<Settings>,
  settings: Settings,
  { sent, anySuccess = false }: NonNullable<Scene<Settings>['outbound']>,
): void {
  const { platform, send } = adapter;
  if (!send) return;

  const sendOver = (answer: () => Promise<OutboundAnswer>): Promise<SendResult> => {
    const outbound = {
      request: answer,
      check: async () => {},
      addressesOf: async () => [],
      close: async () => {},
    };
    const attempt = { now: new Date(), deadline: new AbortController().signal };
    return send(message, settings, clientOver(outbound), attempt);
  };
  const sendTo = ({ status, body = '', headers = {}, truncated = false }: Reply): Promise<SendResult> =>
    sendOver(async () => ({ status, headers, body: Buffer.from(body), truncated }));
  const page = { body: '<html><body>Welcome</body></html>', headers: { 'content-type': 'text/html' } };

  test(`${platform}: an accepted message is sent`, async () => {
    assert.partialDeepStrictEqual(await sendTo(sent), { sent: true });
  });

  test(`${platform}: what brings no answer is tried again, and says whether it may have been sent`, async () => {
    for (const mayHaveBeenSent of [true, false]) {
      const result = await sendOver(() => Promise.reject(new OutboundFailed('timeout', mayHaveBeenSent)));
      assert.partialDeepStrictEqual(result, { error: { code: 'temporary', mayHaveBeenSent } });
    }
  });

  test(`${platform}: a page and a trouble of the provider are tried again`, async () => {
    for (const status of [500, 502, 503, 504]) {
      assert.partialDeepStrictEqual(
        await sendTo({ status, ...page }),
        { error: { code: 'temporary' } },
        String(status),
      );
    }
    const answered = await sendTo({ status: 200, ...page });
    if (!anySuccess) assert.partialDeepStrictEqual(answered, { error: { code: 'temporary' } });
  });

  test(`${platform}: a rate limit is obeyed, and soon tried again where it names no time`, async () => {
    const hinted = await sendTo({ status: 429, ...page, headers: { 'retry-after': '7' } });
    assert.partialDeepStrictEqual(hinted, { error: { code: 'rate_limited' } });
    const unhinted = await sendTo({ status: 429, ...page });
    assert.ok(!unhinted.sent && unhinted.error.code === 'rate_limited');
    assert.ok(unhinted.error.retryAfterMs <= longestPauseMs);
  });

  test(`${platform}: any other answer is an error of the catalogue`, async () => {
    for (const status of [201, 204, 302, 400, 401, 403, 404, 409, 410, 413, 418, 422]) {
      for (const body of ['', '{}', '[]', 'null', '{"error":{}}', '{"error":"x"}']) {
        const result = await sendTo({ status, body });
        assert.ok(
          result.sent ? status < 300 : Object.hasOwn(sendErrors, result.error.code),
          `${status} ${body}`,
        );
      }
    }
  });
}
