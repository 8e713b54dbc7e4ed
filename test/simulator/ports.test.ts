import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { test } from 'node:test';
import { startImap } from '../../src/simulator/email/imap.ts';
import { startSmtp } from '../../src/simulator/email/smtp.ts';
import { listenAt } from '../../src/simulator/listening.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';

test('a mail server whose port is taken says so', async (t) => {
  const other = createServer();
  const port = await listenAt(other, 0);
  t.after(() => other.close());
  const login = { user: 'shop', password: 'simulator' };
  for (const start of [startSmtp, startImap]) {
    await assert.rejects(start(t, { ...login, port }), { code: 'EADDRINUSE' });
  }
});

/** A free port, with a taken one behind it. */
async function freeBefore(taken: Server): Promise<number> {
  const free = createServer();
  const port = await listenAt(free, 0);
  const isTaken = await listenAt(taken, port + 1).then(
    () => true,
    () => false,
  );
  free.close();
  await once(free, 'close');
  return isTaken ? port : freeBefore(taken);
}

test('a simulator that lacks a port frees those that it has', async (t) => {
  const other = createServer();
  const port = await freeBefore(other);
  t.after(() => other.close());
  await assert.rejects(startSimulator({ port, host: '127.0.0.1', memoryFile: null }), { code: 'EADDRINUSE' });
  const again = createServer();
  assert.equal(await listenAt(again, port), port);
  again.close();
});
