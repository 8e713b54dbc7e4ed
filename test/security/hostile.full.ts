import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { assertHarmless, send } from './answers.ts';
import { fuzz } from './fuzz.ts';
import { heardLog } from './heard-log.ts';
import { hostileValues } from './hostile.ts';
import { callLike } from './noise.ts';
import { renewed } from './places.ts';
import { requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { startScene } from './scene.ts';

const { log, lines } = heardLog('warn');
const scene = await startScene({ after }, { log, config: { roles: ['api', 'worker'] } });
const { patchbay, clock, alpha } = scene;
const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl);

/** Refused sign-ins are logged, and so is a channel of a messenger that this release does not know. */
/** Channels of the scene whose messengers are nowhere to be reached, and sign-ins with another password. */
const expected = [
  'a sign-in was refused',
  'The channel cannot be read, or needs a newer release',
  'the connection of a channel was lost',
  'the templates of a channel could not be read',
  'a client’s file was not fetched',
  // A mailing that a hostile value starts, with a file at an address of nobody.
  'The file cannot be fetched.',
];
const isUnexpected = (line: string): boolean => line !== '' && !expected.some((text) => line.includes(text));

const values = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileValues) },
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.double(),
);

test('hostile values in valid calls are refused or accepted, and nothing breaks', async () => {
  const call = fc.constantFrom(...probes).chain((probe) => callLike(renewed(probe), values));
  await fuzz(fc.array(call, { minLength: 16, maxLength: 16 }), 150, async (calls) => {
    // Throttles reopen, and tokens stay valid.
    clock.advance(500);
    await Promise.all(
      calls.map(async (probe) => assertHarmless(await send(patchbay.address, requestOf(probe)))),
    );
  });
  assert.deepEqual(lines().split('\n').filter(isUnexpected), []);
});
