import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaintsAbout } from './complaints.ts';
import { areas } from './list/areas.ts';

test('every fault of the list fits the program, so that it can be tried', () => {
  assert.deepEqual(complaintsAbout(areas), []);
});

test('a fault whose text has left the program is named', () => {
  const gone = {
    name: 'a lane that nobody has',
    file: 'src/platform/pump/pump.ts',
    find: 'no such text',
    replace: '',
    tests: [],
  };
  assert.deepEqual(complaintsAbout([{ name: 'sending', mutations: [gone] }]), [
    'sending: a lane that nobody has: its text stands in src/platform/pump/pump.ts 0 times',
  ]);
});
