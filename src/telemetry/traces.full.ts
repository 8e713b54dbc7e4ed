import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { makeHome } from '../../test/faults/home.ts';
import { startProgram } from '../../test/faults/program.ts';
import { inTime } from '../../test/in-time.ts';
import { startCollector } from '../../test/stand-ins/collector.ts';
import { theirSpan, theirTrace, tracedScene } from '../../test/traced-scene.ts';

test('a trace that is not sampled leaves nothing in rows, calls and exports, whatever the partner asks for', async (t) => {
  const { patchbay, collector, partner, receiver, say, traceIn } = await tracedScene(t, { ratio: 0 });
  const { body } = await say('Hello', { traceparent: `00-${theirTrace}-${theirSpan}-01` });
  await partner.messenger.received(1);
  const heard = async () =>
    receiver.deliveries.filter(({ body: { event_type } }) => event_type === 'message_updated');
  while ((await heard()).length === 0) await receiver.received(receiver.deliveries.length + 1);
  assert.equal(await traceIn(body.uuid), null);
  assert.deepEqual(
    receiver.deliveries.filter(({ headers }) => headers.traceparent !== undefined),
    [],
  );
  await patchbay.stop();
  assert.equal(collector.exports, 0);
});

test('a collector that answers 500, hangs or is away costs no message, and a stop ends in time', async (t) => {
  const behaviours: ((response: ServerResponse) => void)[] = [
    (response) => void response.writeHead(500).end(),
    () => {},
    (response) => void response.destroy(),
  ];
  for (const behaviour of behaviours) {
    const { patchbay, collector, partner, say } = await tracedScene(t);
    collector.behave(behaviour);
    for (let count = 0; count < 20; count += 1) assert.equal((await say('Hello')).status, 201);
    await partner.messenger.received(20);
    await inTime(patchbay.stop(), 10_000);
  }
});

test('a process whose collector hangs ends at SIGTERM with code 0, long before it would be killed', async (t) => {
  const collector = await startCollector(t);
  collector.behave(() => {});
  const { environment } = await makeHome(t);
  const program = await startProgram(t, { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  await program.call('GET', '/api/partners/push-messages/');
  await collector.found(({ name }) => name.startsWith('GET '));
  assert.equal(await inTime(program.end('SIGTERM'), 10_000), 0);
});
