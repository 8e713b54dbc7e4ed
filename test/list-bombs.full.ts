import { test } from 'node:test';
import { allBombs, assertHarmless } from './list-bombs.ts';

test('a bomb of any kind takes hardly any memory', () => assertHarmless(allBombs));
