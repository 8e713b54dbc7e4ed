import assert from 'node:assert/strict';
import { firstOfCrowd, habitOf } from '../../src/simulator/crowd.ts';
import type { Lifetime } from '../harness.ts';
import { found, startScene } from './scene.ts';

type Counts = { planned: number; sent: number; delivered: number; read: number; undelivered: number };

/** A crowd writes, gets a mailing and reacts. Returns the mailing's statistics, and those that the crowd caused. */
export async function mailCrowd(
  lifetime: Lifetime,
  size: number,
): Promise<{ counted: Counts; caused: Counts }> {
  const { simulator, patchbay, partner } = await startScene(lifetime);
  const { sql } = patchbay.context;
  const viber = simulator.providers.get('viber') ?? assert.fail();
  const isQuiet = () => found(async () => viber.queue.waiting() === 0 || undefined);
  viber.gather(size);
  await isQuiet();
  assert.deepEqual([viber.figures.written, viber.figures.failed], [size, 0]);

  const { status, body } = await patchbay.call('POST', '/api/partners/mailings/', {
    headers: partner.key,
    body: {
      name: 'Autumn tea',
      text: 'Hi {{name}}, the new tea is here.',
      filter_chats: { all: [{ type: 'attribute', platform: 'Viber' }] },
    },
  });
  assert.equal(status, 201, JSON.stringify(body));
  await found(
    async () => (await sql`select id from mailings where id = ${body.uuid} and state = 'completed'`)[0],
  );
  await isQuiet();
  const people = Array.from({ length: size }, (_, place) => habitOf(firstOfCrowd + place));
  const open = people.filter(({ standing }) => standing === 'open');
  const counts = (
    await sql<Counts[]>`
    select count(*)::int as planned,
      count(*) filter (where state in ('SENT', 'DELIVERED', 'READ'))::int as sent,
      count(*) filter (where state in ('DELIVERED', 'READ'))::int as delivered,
      count(*) filter (where state = 'READ')::int as read,
      count(*) filter (where state = 'UNDELIVERED')::int as undelivered
    from messages where mailing_id = ${body.uuid}`
  )[0];
  assert.ok(counts);
  return {
    counted: counts,
    caused: {
      planned: size,
      sent: open.length,
      delivered: open.length,
      read: open.filter(({ reads }) => reads).length,
      undelivered: size - open.length,
    },
  };
}
