import assert from 'node:assert/strict';
import type { Lifetime } from '../harness.ts';
import { answerWith } from '../stand-ins/messenger.ts';
import { addRecipients } from './audience.ts';
import { makeHome } from './home.ts';
import { checkHeard, checkStatistics, heardBy, messagesOf } from './mailing-accounts.ts';
import { changesOf, watchMailings } from './mailing-watch.ts';
import { clockAhead, startProgram } from './program.ts';
import { until } from './until.ts';

const tenMinutesMs = 600_000;
const startsInMs = 3_000;
/** Long enough for a worker with a fast clock to treat a claim as lapsed. */
const callTakesMs = 1_500;

/**
 * Runs a planned mailing in two programs, whose machines are ten minutes ahead of the database and ten minutes
 * behind. Checks that it starts once, at its time by the database, and that claims hold. Returns the delay of its
 * start.
 */
export async function mailByWrongClocks(lifetime: Lifetime, recipients: number) {
  const home = await makeHome(lifetime);
  const start = (ms: number) => startProgram(lifetime, { ...home.environment, ...clockAhead(ms) });
  const { call } = await start(tenMinutesMs);
  await start(-tenMinutesMs);
  const partner = await home.addPartner(lifetime, call);
  partner.messenger.behave((...request) => void setTimeout(() => answerWith(200)(...request), callTakesMs));
  const plannedAt = new Date(Date.now() + startsInMs);
  const { status, body } = await home.look(async (sql) => {
    await watchMailings(sql);
    await addRecipients(sql, partner, recipients);
    return call('POST', '/api/partners/mailings/', {
      headers: partner.key,
      body: {
        name: 'Planned',
        text: 'It is time',
        filter_chats: { all: [] },
        planned_at: plannedAt.toISOString(),
      },
    });
  });
  assert.equal(status, 201, JSON.stringify(body));

  return home.look(async (sql) => {
    const find = () => sql<{ state: string; started_at: Date; completed_at: Date }[]>`
      select state, started_at, completed_at from mailings where id = ${body.uuid}`;
    await until(async () => (await find())[0]?.state === 'completed');
    const [mailing] = await find();
    assert.ok(mailing);
    const lateMs = mailing.started_at.getTime() - plannedAt.getTime();
    assert.ok(lateMs >= 0 && mailing.completed_at.getTime() <= Date.now(), `it started ${lateMs} ms late`);
    const changes = await changesOf(sql, body.uuid);
    assert.deepEqual(
      changes.map(({ state }) => state),
      ['in_process', 'completed'],
    );
    const messages = await messagesOf(sql, body.uuid);
    assert.equal(messages.length, recipients);
    assert.equal(
      checkHeard(messages, heardBy(partner.messenger.deliveries), () => 0),
      0,
    );
    const answer = await call('GET', `/api/partners/mailings/${body.uuid}/`, { headers: partner.key });
    checkStatistics(answer.body, messages);
    return { recipients, lateMs };
  });
}
