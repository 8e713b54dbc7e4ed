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
