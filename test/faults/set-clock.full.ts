import { test } from 'node:test';
import { setClock } from './set-clock.ts';

test('a clock that is set by an hour, forward and back, repeats and delays no message', {
  timeout: 180_000,
}, async (t) => {
  t.diagnostic(JSON.stringify(await setClock(t)));
});
