import { test } from 'node:test';
import { allBombs, assertHarmless } from './list-bombs.ts';

test('no bomb of any kind takes more than hardly any memory', () => assertHarmless(allBombs));
