import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import type { Channel } from '../../channels/connected/channels.ts';
import type { OutgoingMessage } from '../../channels/contract/adapter.ts';
import { OutboundFailed, type OutboundRequest, outboundUntil } from '../../platform/outbound/outbound.ts';
import { call } from './call.ts';

const database = await testDatabase({ after });
const context = testContext(database, manualClock());

const photo: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'image',
  text: null,
  url: 'https://shop.example/cat.png',
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '7' },
};

const channels: Channel[] = [
  { platform: 'Telegram' as const, settings: { bot_token: '1:a' } },
  { platform: 'API_Messenger' as const, settings: { webhook_url: 'https://m.example/', secret: 's3cret' } },
].map((channel) => ({
  projectId: 'p',
  id: 'c',
  name: 'Channel',
  state: 'active',
  isCalled: true,
  ...channel,
}));

/** An outbound connection without answers. The request is kept. */
function deadEnd(answer: (request: OutboundRequest) => Promise<never>) {
  const asked: OutboundRequest[] = [];
  const outbound = {
    request: (request: OutboundRequest) => {
      asked.push(request);
      return answer(request);
    },
    check: async () => {},
    addressesOf: async () => [],
    close: async () => {},
  };
  return { asked, outbound };
}

const never = () => new Promise<never>(() => {});
const timeout = () => new DOMException('over', 'TimeoutError');

for (const channel of channels) {
  test(`a call to ${channel.platform} ends at the deadline as perhaps sent, even if the request does not stop`, async () => {
    const { asked, outbound } = deadEnd(never);
    const deadline = new AbortController();
    const result = call({ ...context, outbound }, channel, photo, deadline.signal);
    assert.equal(asked[0]?.signal?.aborted, false);
    deadline.abort(timeout());
    assert.equal(asked[0]?.signal?.aborted, true);
    assert.partialDeepStrictEqual(await result, {
      sent: false,
      error: { code: 'temporary', mayHaveBeenSent: true },
    });
  });

  test(`a request that did not reach ${channel.platform} by the deadline was not sent`, async () => {
    const { outbound } = deadEnd(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new OutboundFailed('timeout', false))),
        ),
    );
    const deadline = new AbortController();
    const result = call({ ...context, outbound }, channel, photo, deadline.signal);
    deadline.abort(timeout());
    assert.partialDeepStrictEqual(await result, { error: { code: 'temporary', mayHaveBeenSent: false } });
  });

  test(`${channel.platform} is not called after the deadline`, async () => {
    const { asked, outbound } = deadEnd(never);
    const result = await call({ ...context, outbound }, channel, photo, AbortSignal.abort(timeout()));
    assert.partialDeepStrictEqual(result, { error: { code: 'temporary', mayHaveBeenSent: false } });
    assert.equal(asked.length, 0);
  });
}

test('a call never extends its deadline, and may end sooner', () => {
  const { asked, outbound } = deadEnd(never);
  const [deadline, sooner] = [new AbortController(), new AbortController()];
  const bound = outboundUntil(outbound, deadline.signal);
  const request = { url: 'https://m.example/', method: 'POST', maxResponseBytes: 1 } as const;
  void bound.request({ ...request, timeoutMs: 3_600_000 });
  void bound.request({ ...request, signal: sooner.signal });
  sooner.abort();
  assert.deepEqual(
    asked.map(({ signal }) => signal?.aborted),
    [false, true],
  );
  deadline.abort();
  assert.equal(asked[0]?.signal?.aborted, true);
});

test('what is read for a message takes the room of its project until the message is sent', async () => {
  for (const channel of channels) {
    const { asked, outbound } = deadEnd(() => Promise.reject(new OutboundFailed('reset', true)));
    await call({ ...context, outbound }, channel, photo, new AbortController().signal);
    const [{ reader } = {}] = asked;
    assert.equal(reader?.owner, 'p');
    assert.ok(reader?.until);
    await reader.until;
  }
});
