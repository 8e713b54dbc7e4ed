import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import Type from 'typebox';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { noDatabase } from '../../../test/no-database.ts';
import { actionFor } from './action.ts';
import { credentials, Unauthorized } from './errors.ts';
import { router } from './router.ts';
import { createServer } from './server.ts';

type Caller = { name: string };

const clock = manualClock();
const context = testContext({ sql: noDatabase }, clock);
let isRevoked = false;
let made: string[] = [];

const server = createServer({ log: context.log, publicUrl: 'https://patchbay.test' });
router(server, context)<Caller>(
  'POST',
  '/things/',
  {
    cors: false,
    admit: () => {
      if (isRevoked) throw new Unauthorized(credentials.incorrect);
      return { name: 'a caller' };
    },
  },
  actionFor<Caller>()({
    body: Type.Object({ name: Type.String() }),
    handle: async ({ body }) => void made.push(body.name),
  }),
);
/** Resolves when the next request was admitted. Its body is read from then on. */
let onAdmitted: () => void = () => {};
server.addHook('preParsing', async () => onAdmitted());
const address = await server.listen({ port: 0, host: '127.0.0.1' });
after(() => server.close());

/** A call whose body comes only after something else has happened. */
async function callAround(happens: () => void): Promise<number | undefined> {
  const sent = request(`${address}/things/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  const answered = once(sent, 'response');
  const admitted = new Promise<void>((resolve) => {
    onAdmitted = resolve;
  });
  sent.write('{"name":');
  await admitted;
  happens();
  sent.end('"x"}');
  const [response] = await answered;
  await text(response);
  return response.statusCode;
}

test('a body that comes after the end of its credentials has no effect', async () => {
  assert.equal(await callAround(() => clock.advance(60_000)), 204);
  assert.deepEqual(made, ['x']);
  made = [];
  const end = () => {
    isRevoked = true;
    clock.advance(2_000);
  };
  assert.equal(await callAround(end), 401);
  assert.deepEqual(made, []);
});
