import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Person, Refused } from './account.ts';
import { peopleOf } from './people.ts';

const person = (id: string, username: string): Person => ({ id, username, name: '', phone: null });
const nobody = async () => {
  throw new Refused(400, 'USERNAME_NOT_OCCUPIED');
};

test('a user name that passes to another person leads to that person, and the first one stays reachable', async () => {
  const people = peopleOf({ personByUsername: nobody, personByPhone: nobody, addContact: async () => null });
  const [ann, eve] = [person('78', 'Ann'), person('79', 'ann')];
  people.met(ann);
  people.met(eve);
  assert.deepEqual(await people.find('@ann'), eve);
  assert.deepEqual(await people.find('78'), ann);
  const renamed = person('78', 'annie');
  people.met(renamed);
  assert.equal(people.correspondent(renamed).externalId, '@annie');
  assert.equal(people.correspondent(eve).externalId, '@ann');
});

test('a message to a client who has lost their user name never goes to its new owner', async () => {
  const [ann, eve] = [person('78', 'annie'), person('79', 'ann')];
  const finding = { personByUsername: async () => eve, personByPhone: nobody, addContact: async () => null };
  // As after a restart: nobody has written yet.
  const people = peopleOf(finding);
  await assert.rejects(people.find('@ann', ['78']), { text: 'USERNAME_PASSED_ON' });
  people.met(ann);
  assert.deepEqual(await people.find('@ann', ['78']), ann);
  assert.deepEqual(await people.find('@ann', ['79']), eve);
  assert.deepEqual(await people.find('@ann'), eve);
});
