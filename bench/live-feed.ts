import { type ClientRequest, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { uuidv7 } from '../src/platform/id.ts';
import { signIn } from '../test/person.ts';
import { openStorage, type Program, type Storage, startProgram } from './processes.ts';
import { type Scene, setScene } from './scene.ts';

export type LiveTimes = { p50: number; p99: number; missing: number };

const operators = 200;
const perSecond = 50;
const seconds = 20;
const clients = 100;
const total = perSecond * seconds;

/**
 * The latency from the first byte of a client's message to its arrival at every connected operator: 200 operators,
 * and 50 messages per second for 20 s.
 */
export async function liveFeed(storage: Storage): Promise<LiveTimes> {
  const program = await startProgram(storage, 'api');
  const scene = await setScene(program, 'http://127.0.0.1:9/');
  const sent: number[] = [];
  const times: number[] = [];
  const connections = await connectAll(storage, program, scene, (n) => {
    const begun = sent[n];
    if (begun !== undefined) times.push(performance.now() - begun);
  });
  await pause(2_000);
  const posts: Promise<unknown>[] = [];
  const begun = performance.now();
  for (let n = 0; n < total; n += 1) {
    await pause(Math.max(0, begun + (1000 * n) / perSecond - performance.now()));
    sent[n] = performance.now();
    posts.push(write(program, scene, `client-${n % clients}`, n));
  }
  await Promise.all(posts);
  await pause(2_000);
  for (const connection of connections) connection.destroy();
  await program.stop();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.ceil(times.length * share) - 1] ?? 0;
  return { p50: at(0.5), p99: at(0.99), missing: operators * total - times.length };
}

async function connectAll(
  storage: Storage,
  { url }: Program,
  { project: projectId }: Scene,
  arrived: (n: number) => void,
): Promise<ClientRequest[]> {
  const database = await openStorage(storage);
  const context = { sql: database.sql, clock: { now: () => new Date() }, newId: () => uuidv7(new Date()) };
  const connections: ClientRequest[] = [];
  for (let n = 0; n < operators; n += 1) {
    const { headers } = await signIn(context, { projectId, role: 'operator', name: `Operator ${n}` });
    connections.push(get(`${url}/chat-center/api/live/`, { headers, agent: false }, listener(arrived)));
  }
  await database.close();
  return connections;
}

/** Reports each message once; the text contains its number. */
function listener(arrived: (n: number) => void) {
  const known = new Set<number>();
  return (response: NodeJS.ReadableStream & { statusCode?: number }): void => {
    if (response.statusCode !== 200) throw new Error(`no live connection: ${response.statusCode}`);
    let rest = '';
    response.setEncoding('utf8');
    response.on('error', () => {});
    response.on('data', (text: string) => {
      rest += text;
      const whole = rest.lastIndexOf('\n') + 1;
      for (const [, number] of rest.slice(0, whole).matchAll(/"text":"message (\d+)"/g)) {
        const n = Number(number);
        if (known.has(n)) continue;
        known.add(n);
        arrived(n);
      }
      rest = rest.slice(whole);
    });
  };
}

async function write(program: Program, scene: Scene, client: string, n: number): Promise<void> {
  const response = await fetch(`${program.url}/channels/${scene.channel}/messages/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      chat: { external_id: client, name: client },
      message: { external_id: `message-${n}`, type: 'text', text: `message ${n}` },
    }),
  });
  await response.text();
  if (response.status !== 200) throw new Error(`the client could not write: ${response.status}`);
}
