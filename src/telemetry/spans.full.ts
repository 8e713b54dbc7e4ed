import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { type CollectedSpan, startCollector } from '../../test/stand-ins/collector.ts';
import { answerWith } from '../../test/stand-ins/messenger.ts';
import { pushPath, theirSpan, theirTrace, tracedScene, tracesTo } from '../../test/traced-scene.ts';
import { batched } from '../platform/pump/batch.ts';
import { startTraces } from '../platform/telemetry/traces.ts';
import { currentIds, within } from '../platform/work.ts';
import { importScenario } from '../scenarios/import.ts';

const { collector, lines, said, patchbay, partner, receiver, push, say, receipt, traceIn } =
  await tracedScene({
    after,
  });

const named = (spans: CollectedSpan[], name: string): CollectedSpan[] =>
  spans.filter((span) => span.name === name);

function only(spans: CollectedSpan[], name: string): CollectedSpan {
  const [span, ...more] = named(spans, name);
  assert.ok(span && more.length === 0, `${more.length + 1} × ${name}`);
  return span;
}

const stateOf = async (id: string): Promise<string> =>
  (await patchbay.call('GET', `${pushPath}${id}/`, { headers: partner.key })).body.state.code;

test('a push message is one trace from the request through the call to the receipt and both webhooks', async () => {
  const traceparent = `00-${theirTrace}-${theirSpan}-00`;
  const { status, body } = await say('a private word', { traceparent });
  assert.equal(status, 201);
  // A receipt that comes before the result proves the sending too, and makes two steps.
  while ((await stateOf(body.uuid)) !== 'SENT');
  assert.equal((await receipt(body.uuid, 'delivered')).status, 200);

  const spans = await collector.traceOf(body.uuid, 6);
  const [request, accept, send] = [`POST ${pushPath}`, 'accept', 'send'].map((name) => only(spans, name));
  const receiptSpan = only(spans, 'receipt');
  const webhooks = named(spans, 'webhook');
  assert.deepEqual(new Set(spans.map(({ traceId }) => traceId)), new Set([theirTrace]));
  assert.deepEqual(
    [request, accept, send, receiptSpan].map((span) => span?.parentSpanId),
    [theirSpan, request?.spanId, accept?.spanId, accept?.spanId],
  );
  assert.deepEqual(
    new Set(webhooks.map(({ parentSpanId }) => parentSpanId)),
    new Set([send?.spanId, receiptSpan.spanId]),
  );
  assert.equal(await traceIn(body.uuid), `00-${theirTrace}-${accept?.spanId}-01`);

  assert.equal(request?.service, 'patchbay-test');
  assert.deepEqual(request?.attributes, {
    'http.request.method': 'POST',
    'http.route': pushPath,
    'http.response.status_code': 201,
    'patchbay.project.id': partner.projectId,
  });
  assert.equal(send?.attributes['patchbay.outcome'], 'SENT');
  assert.equal(send?.attributes['patchbay.attempt'], 1);
  assert.equal(receiptSpan.attributes['patchbay.outcome'], 'DELIVERED');
  assert.deepEqual(
    new Set(
      receiver.deliveries
        .map(({ headers }) => headers.traceparent)
        .filter((header) => header?.includes(theirTrace)),
    ),
    new Set(webhooks.map(({ spanId }) => `00-${theirTrace}-${spanId}-01`)),
  );
  // A messenger is no part of the partner's systems.
  assert.deepEqual(
    partner.messenger.deliveries.filter(({ headers }) => headers.traceparent !== undefined),
    [],
  );
});

test('a scenario continues the trace of the push that starts it', async () => {
  const words = [
    { id: 'one', type: 'message', text: 'One', next: 'two' },
    { id: 'two', type: 'message', text: 'Two', next: 'bye' },
    { id: 'bye', type: 'end' },
  ];
  const file = Buffer.from(JSON.stringify({ name: 'Welcome', steps: words }));
  await importScenario(patchbay.context, { projectId: partner.projectId, file });
  const { body } = await push({ type: 'NODE', node: { name: 'Welcome' } });
  const spans = await collector.traceOf(body.uuid, 8);
  const accept = only(spans, 'accept');
  // The second step follows once the first message was sent.
  const steps = named(spans, 'scenario step');
  assert.deepEqual(
    steps.map(({ parentSpanId }) => parentSpanId),
    [accept.spanId, accept.spanId],
  );
  const [first, second] = named(spans, 'send').map(({ parentSpanId }) => parentSpanId);
  assert.ok([first, second].includes(accept.spanId));
  assert.ok(steps.some(({ spanId }) => spanId === first || spanId === second));
});

test('each message of a mailing is a trace of its own, which its receipt joins', async () => {
  const { status, body } = await patchbay.call('POST', '/api/partners/mailings/', {
    headers: partner.key,
    body: { name: 'Sale', text: 'Hello', filter_chats: { all: [] } },
  });
  assert.equal(status, 201);
  const isOfMailing = ({ name, attributes }: CollectedSpan): boolean =>
    name === 'send' && attributes['patchbay.mailing.id'] === body.uuid;
  const send = await collector.found(isOfMailing);
  const id = String(send.attributes['patchbay.message.id']);
  assert.equal(send.parentSpanId, undefined);
  // The result is recorded after the call.
  while ((await traceIn(id)) === null);
  assert.equal(await traceIn(id), `00-${send.traceId}-${send.spanId}-01`);
  await receipt(id, 'read');
  const joined = await collector.found(
    ({ name, parentSpanId }) => name === 'receipt' && parentSpanId === send.spanId,
  );
  assert.equal(joined.traceId, send.traceId);
  await collector.found(({ name, parentSpanId }) => name === 'webhook' && parentSpanId === joined.spanId);
  const plan = await collector.found(({ name }) => name === 'plan mailing');
  assert.equal(plan.attributes['patchbay.mailing.id'], body.uuid);
});

test('a failed call tells its code, and neither spans nor exports tell contents, names, numbers or credentials', async () => {
  partner.messenger.behave(answerWith(422, {}, '{"detail": "an answer of the messenger"}'));
  receiver.behave(answerWith(500, {}, 'an answer of the receiver'));
  const { body } = await say('a private word');
  const spans = await collector.traceOf(body.uuid, 4);
  const [send, webhook] = [only(spans, 'send'), only(spans, 'webhook')];
  assert.equal(send.attributes['patchbay.outcome'], 'UNDELIVERED');
  assert.deepEqual([send.isError, send.attributes['error.type']], [true, 'bad_content']);
  assert.equal(webhook.attributes['http.response.status_code'], 500);
  assert.equal(webhook.isError, true);
  await patchbay.call('GET', '/api/partners/profiles/?phone=79991234567', { headers: partner.token });

  assert.match(collector.received, /^\/v1\/traces .*"authorization":"Bearer of the collector"/);
  const secrets = [
    'a private word',
    'an answer of the',
    'Secretname',
    '9991234567',
    partner.botKey,
    partner.token.authorization ?? '',
    partner.channel.secret,
    receiver.url,
    partner.messenger.url,
  ];
  assert.deepEqual(
    secrets.filter((secret) => collector.received.includes(secret.replace(/^Bearer /, ''))),
    [],
  );
});

test('a stranger’s header only gives the parent: malformed ones are ignored, and flags decide nothing', async () => {
  for (const wrong of [
    '',
    'x',
    `00-${'0'.repeat(32)}-${theirSpan}-01`,
    `00-${theirTrace}-${'0'.repeat(16)}-01`,
    `00-${theirTrace}-${theirSpan}-01-more`,
    `ff-${theirTrace}-${theirSpan}-01`,
    `00-${theirTrace.toUpperCase()}-${theirSpan}-01`,
    `00-${theirTrace}-${theirSpan}-01, 00-${theirTrace}-${theirSpan}-01`,
  ]) {
    const { status, body } = await say('Hello', { traceparent: wrong });
    assert.equal(status, 201, wrong);
    assert.match(String(await traceIn(body.uuid)), /^00-(?!0af7651916cd)[\da-f]{32}-[\da-f]{16}-01$/, wrong);
  }
});

test('a trace id that a stranger chose is recorded as seldom as any other', async () => {
  const traces = await startTraces(tracesTo(collector, 1e-9), pino({ level: 'silent' }));
  // The sampler of a share would take this id always.
  const header = `00-${'00000001'.repeat(4)}-${theirSpan}-01`;
  assert.equal(traces.receive(header, { name: 'request', kind: 'server', facts: {} }), null);
  await traces.stop();
});

test('the log lines of a request and of a call have their ids, and those of others have none', async (t) => {
  const { context } = patchbay;
  t.mock.method(context.outbound, 'request', async () => {
    throw new Error('broken');
  });
  const traceparent = `00-${theirTrace}-${theirSpan}-01`;
  await say('Hello', { 'x-request-id': 'their-request', traceparent });
  const failed = await said('sending: the adapter failed', theirTrace);
  assert.equal(typeof failed.spanId, 'string');
  const answered = lines.find(({ requestId }) => requestId === 'their-request');
  assert.deepEqual([answered?.msg, answered?.traceId], ['request answered', theirTrace]);
  context.log.info('a line of nobody');
  const { requestId, traceId } = await said('a line of nobody');
  assert.deepEqual([requestId, traceId], [undefined, undefined]);
});

test('a shared statement and a woken worker belong to no request, even of the one that asked', async () => {
  const { context } = patchbay;
  const seen: object[] = [];
  const end = context.wake.subscribe('a topic', () => seen.push(currentIds()));
  const share = batched(
    async (items: number[]) => {
      seen.push(currentIds());
      return items;
    },
    { max: 10 },
  );
  await within({ requestId: 'one' }, async () => {
    context.wake.wake('a topic');
    await share(1);
    seen.push(currentIds());
  });
  end();
  assert.deepEqual(seen, [{}, {}, { requestId: 'one' }]);
});

test('a collector that hangs holds up a bounded number of spans, and the rest are dropped', async (t) => {
  const collector = await startCollector(t);
  const held: ServerResponse[] = [];
  const asked = Promise.withResolvers<void>();
  collector.behave((response) => {
    held.push(response);
    asked.resolve();
  });
  const traces = await startTraces(tracesTo(collector), pino({ level: 'silent' }));
  const note = (count: number): void => {
    for (let made = 0; made < count; made += 1) {
      traces.begin({ name: 'send', kind: 'client', facts: {} })?.end();
    }
  };
  note(512);
  await asked.promise;
  note(20_000);
  collector.behave((response) => void response.writeHead(200).end('{}'));
  for (const response of held) response.writeHead(200).end('{}');
  await traces.stop();
  assert.ok(collector.spans.length >= 2_048, `${collector.spans.length}`);
  assert.ok(collector.spans.length <= 512 + 2_048, `${collector.spans.length}`);
});

test('a program without tracing does not load the libraries', async () => {
  const script = `
    import { createRequire } from 'node:module';
    await import('./src/service.ts');
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    process.stdout.write(loaded.filter((path) => /opentelemetry.(sdk|exporter|otlp|core)/.test(path)).join());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '..', '..'),
  });
  assert.equal(stdout, '');
});
