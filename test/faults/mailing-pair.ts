import assert from 'node:assert/strict';
import type { Sql } from '../../src/platform/database/database.ts';
import type { Lifetime } from '../harness.ts';
import { addRecipients } from './audience.ts';
import { claims, lapseClaims, makeHome } from './home.ts';
import { checkHeard, checkStatistics, heardBy, messagesOf } from './mailing-accounts.ts';
import { changesOf, watchMailings } from './mailing-watch.ts';
import { startProgram } from './program.ts';
import { inFlightCount, slowProvider } from './traffic.ts';
import { until } from './until.ts';

type Plan = {
  recipients: number;
  /** Runs of the mailing with a schedule. One program is killed in the second. */
  runs: number;
  /** Whether the test ends all claims at the kill. Otherwise those of the dead program end in their time. */
  lapse: boolean;
};

/** Runs a mailing and one with a schedule in two complete programs. One of them is killed on the way. */
export async function mailByTwo(lifetime: Lifetime, plan: Plan) {
  const home = await makeHome(lifetime);
  const start = () => startProgram(lifetime, home.environment);
  const [killed, survivor] = [await start(), await start()];
  const partner = await home.addPartner(lifetime, survivor.call);
  const { deliveries, behave, received } = partner.messenger;
  behave(slowProvider);
  const create = async ({ call }: typeof killed, mailing: object): Promise<string> => {
    const body = { name: 'Sale', text: 'Hello', filter_chats: { all: [] }, ...mailing };
    const answer = await call('POST', '/api/partners/mailings/', { headers: partner.key, body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.uuid;
  };

  return home.look(async (sql) => {
    await watchMailings(sql);
    await addRecipients(sql, partner, plan.recipients);
    const atOnce = await create(killed, {});
    const regular = await create(survivor, { regular_cron: '0 0 1 1 *' });
    const inFlight = inFlightCount();
    for (let run = 1; run <= plan.runs; run += 1) {
      await beNewYear(sql, regular);
      if (run === 2) {
        await received(deliveries.length + Math.ceil(plan.recipients / 4));
        await killed.end('SIGKILL');
        await sql.begin(async (transaction) => {
          // The other program is alive. A claim that it makes in between would be repeated without counting as in
          // flight.
          await transaction`lock table messages in share row exclusive mode`;
          inFlight.add(await claims(transaction));
          if (plan.lapse) await lapseClaims(transaction);
        });
      }
      await until(async () => (await changesOf(sql, regular)).length === 2 * run);
    }
    await until(async () => (await changesOf(sql, atOnce)).length === 2);

    const heard = heardBy(deliveries);
    let repeats = 0;
    for (const { id, runs, state } of [
      { id: atOnce, runs: 1, state: 'completed' },
      { id: regular, runs: plan.runs, state: 'planned' },
    ]) {
      const changes = await changesOf(sql, id);
      assert.deepEqual(
        changes.map(({ run, state, open }) => [run, state, open]),
        Array.from({ length: runs }, (_, index) => [
          [index + 1, 'in_process', 0],
          [index + 1, state, 0],
        ]).flat(),
      );
      const messages = await messagesOf(sql, id);
      const ofRuns = Map.groupBy(messages, ({ run }) => run);
      assert.equal(ofRuns.size, runs);
      for (const ofRun of ofRuns.values()) {
        assert.equal(ofRun.length, plan.recipients);
        assert.equal(new Set(ofRun.map(({ profile }) => profile)).size, plan.recipients);
      }
      repeats += checkHeard(messages, heard, inFlight.of);
      const { body } = await survivor.call('GET', `/api/partners/mailings/${id}/`, { headers: partner.key });
      checkStatistics(body, messages);
      assert.equal(body.statistics.count_sent, messages.length);
    }
    assert.deepEqual([killed.complaints, survivor.complaints], [[], []]);
    return { messages: heard.size, repeats, inFlight: inFlight.total() };
  });
}

/** Makes the moment of the schedule now. */
async function beNewYear(sql: Sql, mailing: string): Promise<void> {
  await sql`update mailings set due_at = ${new Date()} where id = ${mailing} and state = 'planned'`;
  await sql`select pg_notify('patchbay_wake', 'planning test')`;
}
