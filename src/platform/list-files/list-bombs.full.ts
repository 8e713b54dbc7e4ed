import { test } from 'node:test';
import { allBombs, assertHarmless } from '../../../test/list-bombs.ts';

/** These hold hundreds of MB. */
const slow = [
  '10 million empty cells',
  'shared texts',
  'empty shared texts',
  'long shared texts',
  'a sheet of more than 200 MiB',
];

test('a bomb is refused with hardly any memory', () =>
  assertHarmless(allBombs.filter((what) => !slow.includes(what))));
