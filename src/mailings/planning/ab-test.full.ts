import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { abScene, minute, ofVariant, sample } from '../../../test/ab-scene.ts';
import { planAll, startScene, stateOf } from '../../../test/planning-scene.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });
const { messagesOf, plannedBy, sampled, finish } = abScene({ context, clock });

/** The process dies at one statement: before it is run, or after it, with its outcome lost. */
function dyingAt(place: number, side: 'before' | 'after') {
  let count = 0;
  let isDead = false;
  const dying = new Proxy(sql, {
    apply(target, self, given) {
      const statement = Reflect.apply(target, self, given);
      if (typeof statement?.then !== 'function') return statement;
      const run = statement.then.bind(statement);
      // biome-ignore lint/suspicious/noThenProperty: it is a statement, which runs when it is awaited.
      statement.then = (...next: Parameters<Promise<unknown>['then']>) => {
        count += 1;
        if (isDead || (count === place && side === 'before')) {
          isDead = true;
          return Promise.reject(new Error('dead')).then(...next);
        }
        isDead = count === place;
        if (!isDead) return run(...next);
        return run(() => Promise.reject(new Error('dead'))).then(...next);
      };
      return statement;
    },
  });
  return { context: { ...context, sql: dying }, isDead: () => isDead };
}

for (const side of ['before', 'after'] as const) {
  test(`a process that dies ${side} any statement around the decision changes nothing`, async () => {
    let place = 0;
    for (let isOver = false; !isOver; ) {
      place += 1;
      const { project, profiles, id } = await sampled(12, { ...sample, percent: 50 });
      clock.advance(60 * minute);
      const life = dyingAt(place, side);
      await planAll(life.context).catch((error: Error) => assert.equal(error.message, 'dead'));
      isOver = !life.isDead();
      clock.advance(minute);
      await finish(id);
      clock.advance(minute);
      await finish(id);
      const messages = await messagesOf(id);
      assert.deepEqual(
        messages.map(({ profile_id }) => profile_id),
        profiles,
        `${place}`,
      );
      assert.deepEqual(await plannedBy(project, id), [ofVariant(messages, 1), ofVariant(messages, 2)]);
      const decisions = await sql`select from mailing_decisions where mailing_id = ${id}`;
      assert.deepEqual([decisions.length, (await stateOf(context, id)).state], [1, 'completed']);
    }
    assert.ok(place > 8, `${place}`);
  });
}
