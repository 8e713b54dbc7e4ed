import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProject } from '../../src/access/projects/projects.ts';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { startTelegram } from '../../src/simulator/telegram/provider.ts';
import { inTime } from '../in-time.ts';
import { twoProcesses } from '../waiting.ts';
import { makeHome } from './home.ts';
import { startProgram } from './program.ts';

/** The promised limit. */
const longestTakeOverMs = 30_000;

test('the polls of a frozen process, and of a killed one, continue within 30 s in another', {
  ...twoProcesses,
  timeout: 180_000,
}, async (t) => {
  const { environment, within } = await makeHome(t);
  const bots = await startTelegram(t);
  const startWorker = () => startProgram(t, { ...environment, PATCHBAY_ROLES: 'worker' });
  const frozen = await startWorker();
  const { id: projectId } = await within((context) => createProject(context, { name: 'Shop' }));
  const settings = { bot_token: '1:bot', api_root: bots.root, mode: 'polling' };
  await within((context) => addChannel(context, { projectId, platform: 'Telegram', name: 'Bot', settings }));
  const polls = () => bots.calls.filter(({ method }) => method === 'getUpdates').length;
  /** Only one process polls, so the next poll after its end is another's. */
  const takenOver = async (what: string): Promise<void> => {
    const began = performance.now();
    const before = polls();
    await inTime(
      bots.called(() => polls() > before),
      longestTakeOverMs,
    );
    t.diagnostic(`${what}: ${Math.round(performance.now() - began)} ms`);
  };

  await bots.called(() => polls() > 0);
  const killed = await startWorker();
  frozen.signal('SIGSTOP');
  await takenOver('frozen');
  await startWorker();
  await killed.end('SIGKILL');
  await takenOver('killed');
  // The sleeper finds that it has lost the channel, and ends in order.
  frozen.signal('SIGCONT');
  assert.equal(await frozen.end('SIGTERM'), 0);
});
