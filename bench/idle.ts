import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf, memoryOf, type Program, type Storage, startProgram } from './processes.ts';
import { firstMessage, type Scene, setScene } from './scene.ts';

const samples = 200;
const idleSeconds = 15;

export type Latency = { p50: number; p99: number };
export type Idle = Latency & { cpuPercent: number; memory: number };

/** An idle program: the latency from the first byte of a POST to the provider's call, and the idle cost. */
export async function idle(storage: Storage): Promise<Idle> {
  const provider = await startProvider();
  const program = await startProgram(storage);
  const scene = await setScene(program, provider.url);
  const latency = await pushLatency(program, scene, provider, samples);
  await pause(3000);
  const before = cpuOf(program.pid);
  await pause(idleSeconds * 1000);
  const cpuPercent = (cpuOf(program.pid) - before) / (idleSeconds * 10);
  const memory = memoryOf(program.pid);
  await program.stop();
  provider.stop();
  return { ...latency, cpuPercent, memory };
}

export type Provider = { url: string; called(): Promise<void>; stop(): void };

/** A provider in this process, which reports its next call. */
export async function startProvider(): Promise<Provider> {
  let tell: () => void = () => {};
  const server = createServer((request, response) => {
    tell();
    request.resume();
    request.on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    called: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The latency from the first byte of a POST to the call of the scene's provider, one at a time. */
export async function pushLatency(
  program: Program,
  scene: Scene,
  provider: Provider,
  count: number,
): Promise<Latency> {
  const chat = await firstMessage(program, scene, 'ann');
  const body = JSON.stringify({ chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hello' } });
  const times: number[] = [];
  for (let n = 0; n < count + 20; n += 1) {
    const arrived = provider.called();
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
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

export function quantile(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
