import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf, memoryOf, type Storage, startProgram } from './processes.ts';
import { firstMessage, setScene } from './scene.ts';

const samples = 200;
const idleSeconds = 15;

export type Idle = { p50: number; p99: number; cpuPercent: number; memory: number };

/** An idle program: from the POST's first byte to the provider's call, and what doing nothing costs. */
export async function idle(storage: Storage): Promise<Idle> {
  let called: () => void = () => {};
  const provider = createServer((request, response) => {
    called();
    request.resume();
    request.on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;

  const program = await startProgram(storage);
  const scene = await setScene(program, `http://127.0.0.1:${port}/`);
  const chat = await firstMessage(program, scene, 'ann');
  const body = JSON.stringify({ chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hello' } });
  const times: number[] = [];
  for (let n = 0; n < samples + 20; n += 1) {
    const arrived = new Promise<void>((resolve) => {
      called = resolve;
    });
    const start = performance.now();
    const posted = fetch(`${program.url}/api/partners/push-messages/`, {
      method: 'POST',
      headers: { ...scene.key, 'content-type': 'application/json' },
      body,
    });
    await arrived;
    if (n >= 20) times.push(performance.now() - start);
    await (await posted).text();
    await pause(25);
  }
  await pause(3000);
  const before = cpuOf(program.pid);
  await pause(idleSeconds * 1000);
  const cpuPercent = (cpuOf(program.pid) - before) / (idleSeconds * 10);
  const memory = memoryOf(program.pid);
  await program.stop();
  provider.closeAllConnections();
  provider.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), cpuPercent, memory };
}
