import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getHeapStatistics } from 'node:v8';
import { manualClock } from '../../test/clock.ts';
import { createPartner, startPatchbay } from '../../test/harness.ts';
import { queueTexts } from '../../test/queue-texts.ts';
import { answerWith } from '../../test/stand-ins/messenger.ts';
import { serveMetrics } from './serve.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const here = { port: 0, host: '127.0.0.1' };
const metrics = await serveMetrics(patchbay.context, { ...here, token: null });
after(() => metrics.stop());

/** The exposed figures by name and labels. */
async function read(): Promise<Map<string, number>> {
  const text = await (await fetch(metrics.address)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

const deploy = join(import.meta.dirname, '..', '..', 'deploy');

test('the figures tell what was sent, and what waits since when', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const { sql, wake } = patchbay.context;
  const channelId = partner.channel.id;
  partner.messenger.behave(answerWith(422));
  await queueTexts(patchbay.context, { ...partner, channelId, chat }, 1);
  await partner.messenger.received(1);
  partner.messenger.behave(answerWith(200));
  await queueTexts(patchbay.context, { ...partner, channelId, chat }, 2);
  await partner.messenger.received(3);
  while ((await sql`select from messages where state in ('PENDING', 'IN_PROCESS')`).length > 0);

  await sql`update channels set state = 'paused' where id = ${channelId}`;
  await queueTexts(patchbay.context, { ...partner, channelId, chat }, 3);
  clock.advance(90_000);
  wake.wake('sending');
  const figures = await read();
  const sent = (result: string) => `patchbay_sends_total{platform="API_Messenger",result="${result}"}`;
  assert.equal(figures.get(sent('sent')), 2);
  assert.equal(figures.get('patchbay_send_duration_seconds_count{platform="API_Messenger"}'), 3);
  const labels = `project="${partner.projectId}",channel="${channelId}",platform="API_Messenger"`;
  assert.equal(figures.get(`patchbay_messages_due{${labels},lane="urgent"}`), 3);
  assert.equal(figures.get(`patchbay_messages_oldest_due_seconds{${labels},lane="urgent"}`), 90);
  assert.equal(figures.get(`patchbay_channel_active{${labels}}`), 0);
  assert.equal(figures.get('patchbay_database_up'), 1);
});

test('every figure that the dashboard and the alerts use is exposed', async () => {
  await patchbay.call('GET', '/api/partners/push-messages/');
  const text = await (await fetch(metrics.address)).text();
  const exposed = new Set(Array.from(text.matchAll(/^# TYPE (\w+) /gm), ([, name]) => name));
  for (const file of ['grafana/patchbay.json', 'prometheus/alerts.yml']) {
    const used = readFileSync(join(deploy, file), 'utf8').matchAll(
      /\b((?:patchbay|nodejs|process)_[a-z0-9_]+)/g,
    );
    const names = [...new Set(Array.from(used, ([, name = '']) => name.replace(/_(bucket|count|sum)$/, '')))];
    assert.ok(names.length > 5);
    assert.deepEqual(
      names.filter((name) => !exposed.has(name)),
      [],
    );
  }
});

test('the heap of a process stands beside the limit at which it ends', async () => {
  const figures = await read();
  const limit = figures.get('patchbay_heap_limit_bytes') ?? 0;
  assert.equal(limit, getHeapStatistics().heap_size_limit);
  assert.ok((figures.get('nodejs_heap_size_used_bytes') ?? limit) < limit);
  const rules = readFileSync(join(deploy, 'prometheus/alerts.yml'), 'utf8');
  assert.match(rules, /expr: nodejs_heap_size_used_bytes > 0\.85 \* patchbay_heap_limit_bytes$/m);
});

test('requests are counted by the pattern of their address', async () => {
  await patchbay.call('GET', '/api/partners/push-messages/0198f000-0000-7000-8000-000000000000/');
  await patchbay.call('GET', '/no-such-page/');
  const names = [...(await read()).keys()].filter((name) =>
    name.startsWith('patchbay_http_request_duration_seconds_count'),
  );
  assert.ok(names.some((name) => name.includes('route="/api/partners/push-messages/:uuid')));
  assert.ok(names.every((name) => !name.includes('0198f000') && !name.includes('no-such-page')));
});

/** The status for a caller who knows the address by another name, or shows a token. */
async function statusOf(address: string, headers: Record<string, string>): Promise<number | undefined> {
  const asked = request(address, { headers }).end();
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  answer?.resume();
  return answer?.statusCode;
}

test('without a token the metrics are for names of this machine, and a page of another name gets none', async () => {
  const { port } = new URL(metrics.address);
  for (const name of ['127.0.0.1', 'localhost', '[::1]', `127.0.0.1:${port}`]) {
    assert.equal(await statusOf(metrics.address, { host: name }), 200, name);
  }
  for (const name of ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test', 'x@evil.test', '10.0.0.1']) {
    assert.equal(await statusOf(metrics.address, { host: name }), 403, name);
  }
});

test('with a token the metrics are for callers who show it', async (t) => {
  const token = 'a-token-of-24-characters';
  const other = await startPatchbay(t, { config: { metrics: null } });
  const guarded = await serveMetrics(other.context, { ...here, token });
  t.after(() => guarded.stop());
  const bearing = (shown: string) => statusOf(guarded.address, { host: 'x.test', authorization: shown });
  assert.deepEqual(
    [await bearing(`Bearer ${token}`), await bearing('Bearer wrong'), await bearing('')],
    [200, 401, 401],
  );
});

test('nothing but the metrics is served there', async () => {
  assert.equal((await fetch(new URL('/', metrics.address))).status, 404);
  assert.equal((await fetch(metrics.address, { method: 'POST' })).status, 404);
});
