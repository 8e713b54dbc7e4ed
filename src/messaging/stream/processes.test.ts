import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabaseKind } from '../../../test/database.ts';
import { makeHome } from '../../../test/faults/home.ts';
import { type Program, startProgram } from '../../../test/faults/program.ts';
import type { Partner } from '../../../test/harness.ts';

/** The embedded database belongs to one process. */
const processes = testDatabaseKind === 'server' ? 2 : 1;
const callersOfEach = 8;
const wanted = 50;

type Call = { sentAt: number; answeredAt: number; uuid: string };

test('no second holds more than twenty accepted tasks under load on all processes', async (t) => {
  const home = await makeHome(t);
  const programs: Program[] = [];
  for (let n = 0; n < processes; n += 1) programs.push(await startProgram(t, home.environment));
  const [program = assert.fail()] = programs;
  const partner = await home.addPartner(t, program.call);
  const { chat } = await partner.client('ann');

  const { accepted, refused } = await hammer(programs, partner, chat);
  // A slow machine refuses no call.
  t.diagnostic(JSON.stringify({ accepted: accepted.length, refused }));

  // By the tasks' own times.
  const moments = (await createdAt(program, partner)).sort((a, b) => a - b);
  assert.equal(moments.length, accepted.length);
  const held = most(moments, (from, at) => at >= from && at < from + 1000);
  assert.ok(held <= 20, `${held} within a second`);

  // By the caller's observations, independent of the processes' clocks.
  const seen = most(accepted, (from, at) => at.sentAt >= from.sentAt && at.answeredAt < from.sentAt + 1000);
  assert.ok(seen <= 20, `${seen} within a second`);
});

const most = <Item>(items: readonly Item[], isWithin: (from: Item, at: Item) => boolean): number =>
  Math.max(...items.map((from) => items.filter((at) => isWithin(from, at)).length));

/** Callers that never rest, until enough calls were accepted. */
async function hammer(programs: Program[], { token }: Partner, chat: string) {
  const accepted: Call[] = [];
  let refused = 0;
  const body = {
    type: 'regular_message',
    payload: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'x' } },
  };
  const callOn = async ({ call }: Program) => {
    while (accepted.length < wanted) {
      const sentAt = performance.now();
      const answer = await call('POST', '/api/partners/stream/', { headers: token, body });
      if (answer.status === 429) refused += 1;
      else {
        assert.equal(answer.status, 201);
        accepted.push({ sentAt, answeredAt: performance.now(), uuid: answer.body.uuid });
      }
    }
  };
  const callers = programs.flatMap((program) => Array<Program>(callersOfEach).fill(program));
  await Promise.all(callers.map(callOn));
  return { accepted, refused };
}

async function createdAt({ call }: Program, { key }: Partner): Promise<number[]> {
  const { body } = await call('GET', '/api/partners/push-messages/?limit=100', { headers: key });
  return body.results.map(({ created_at }: { created_at: string }) => Date.parse(created_at));
}
