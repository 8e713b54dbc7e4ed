import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase, testDatabaseKind } from '../../test/database.ts';
import { createOwnersInTurn } from './owners-in-turn.ts';
import { within } from './work.ts';

const { sql } = await testDatabase({ after });

/** Lets owners ask for places, and notes what begins. `leave` ends what began first. */
function placesFor(places: number) {
  const inTurn = createOwnersInTurn(places);
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const ask = (owner: string, ...names: string[]) => {
    for (const name of names) {
      inTurn.take(owner, (leave) => {
        begun.push(owner + name);
        running.push(leave);
      });
    }
  };
  const leave = () => running.shift()?.();
  return { begun, ask, leave };
}

test('an owner who comes later waits for one place of each other owner, however many they ask for', () => {
  const { begun, ask, leave } = placesFor(2);
  ask('a', '1', '2', '3', '4', '5');
  ask('b', '1', '2');
  ask('c', '1');
  assert.deepEqual(begun, ['a1', 'b1']);
  for (let left = 0; left < 6; left += 1) leave();
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'a4']);
});

test('an owner has half of the places at most, however many are free, and the program itself has all', () => {
  const { begun, ask, leave } = placesFor(4);
  ask('a', '1', '2', '3');
  assert.deepEqual(begun, ['a1', 'a2']);
  ask('b', '1');
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  leave();
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3']);
  const alone = placesFor(4);
  alone.ask('', '1', '2', '3', '4', '5');
  assert.deepEqual(alone.begun, ['1', '2', '3', '4']);
});

test('places that nobody waited for are free again', () => {
  const { begun, ask, leave } = placesFor(1);
  ask('a', '1');
  leave();
  ask('a', '2', '3');
  assert.deepEqual(begun, ['a1', 'a2']);
  leave();
  leave();
  ask('b', '1');
  assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1']);
});

test('a hundred transactions of one project delay another by a few', async () => {
  const ended: string[] = [];
  const transact = (owner: string) =>
    within({ owner }, async () => {
      await sql.begin((transaction) => transaction`select pg_advisory_xact_lock(7), pg_sleep(0.002)`);
      ended.push(owner);
    });
  const many = Array.from({ length: 100 }, () => transact('crowd'));
  await Promise.all([...many, transact('other')]);
  assert.ok(ended.indexOf('other') < 40, `the other was number ${ended.indexOf('other')}`);
});

const oneSession = testDatabaseKind === 'embedded' ? {} : { skip: 'A server has many sessions.' };

test('others’ short statements pass between the long ones of an owner', oneSession, async () => {
  let isOver = false;
  let long = 0;
  const keepBusy = () =>
    within({ owner: 'crowd' }, async () => {
      while (!isOver) {
        await sql`select pg_sleep(0.1)`;
        long += 1;
      }
    });
  const many = Array.from({ length: 4 }, keepBusy);
  await within({ owner: 'other' }, async () => {
    while (long < 2) await sql`select`;
    const before = long;
    for (let n = 0; n < 20; n += 1) await sql`select`;
    assert.ok(long - before <= 5, `twenty waited for ${long - before}`);
  });
  isOver = true;
  await Promise.all(many);
});
