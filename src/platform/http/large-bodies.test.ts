import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { createPartner, startPatchbay } from '../../../test/harness.ts';

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { botKey } = await createPartner({ after }, patchbay);
const { port } = new URL(patchbay.address);

const large = `{"no": [${'{},'.repeat(100_000)}{}]}`;
const bodies = 40;

/** Sends a large body but for its last byte, over a connection of its own. */
async function almost(from: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1');
  after(() => socket.destroy());
  const lines = [
    'POST /api/partners/push-messages/ HTTP/1.1',
    'Host: x',
    `bot-key: ${botKey}`,
    `X-Forwarded-For: ${from}`,
    'Content-Type: application/json',
    `Content-Length: ${large.length}`,
    '',
    large.slice(0, -1),
  ];
  await new Promise<void>((resolve) => socket.write(lines.join('\r\n'), () => resolve()));
  return socket;
}

const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString('latin1', 9, 12))));

test('large bodies that end at once are parsed one after another, and others are served in between', async () => {
  const sockets = await Promise.all(Array.from({ length: bodies }, () => almost('198.51.100.7')));
  for (let turn = 0; turn < 500; turn += 1) await turnOfTheLoop();
  const answers = Promise.all(sockets.map(answerOf));
  let isDone = false;
  void answers.then(() => {
    isDone = true;
  });
  let turns = 0;
  for (const socket of sockets) socket.write('}');
  while (!isDone) {
    await turnOfTheLoop();
    turns += 1;
  }
  assert.deepEqual(await answers, Array(bodies).fill('400'));
  assert.ok(turns >= bodies, `the event loop turned ${turns} times`);
});

test('a caller who leaves while their body waits holds nobody up', async () => {
  const sockets = await Promise.all(Array.from({ length: bodies }, () => almost('198.51.100.7')));
  const last = await almost('198.51.100.8');
  const [first, ...others] = sockets;
  assert.ok(first);
  const answers = [answerOf(first), answerOf(last)];
  for (const socket of [...sockets, last]) socket.write('}');
  for (const socket of others) socket.destroy();
  assert.deepEqual(await Promise.all(answers), ['400', '400']);
});
