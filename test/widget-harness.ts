import { createHmac } from 'node:crypto';
import { createParser } from 'eventsource-parser';
import { type Logger, pino } from 'pino';
import { addChannel } from '../src/channels/connected/channels.ts';
import type { Context } from '../src/platform/context.ts';
import type { Pool } from '../src/platform/database/database.ts';
import type { Wake } from '../src/platform/database/wake.ts';
import { createServer } from '../src/platform/http/server.ts';
import { uuidv7 } from '../src/platform/id.ts';
import { createOutbound } from '../src/platform/outbound/outbound.ts';
import { createVault } from '../src/platform/secrets/vault.ts';
import { createMetrics } from '../src/platform/telemetry/metrics.ts';
import { addRoutes } from '../src/routes.ts';
import { type ManualClock, manualClock } from './clock.ts';
import { type Answer, type Call, caller, testConfig } from './harness.ts';
import { seedProject } from './seed.ts';

type Lifetime = { after(cleanUp: () => Promise<void>): void };

export type WidgetServer = {
  context: Context;
  clock: ManualClock;
  address: string;
  call: Call;
  close(): Promise<void>;
};

type Shared = { clock?: ManualClock; wake?: Wake; log?: Logger };

/**
 * A context of real parts. The clock stands still until it is moved. Contexts that share `clock` and `wake` form one
 * installation.
 */
export function widgetContext(
  sql: Pool,
  { clock = manualClock(), wake = localWake(), log = pino({ level: 'silent' }) }: Shared = {},
) {
  const config = testConfig({ secretKey: 'one key for every process of a test' });
  const context: Context = {
    config,
    sql,
    clock,
    newId: () => uuidv7(clock.now()),
    vault: createVault(config.secretKey),
    outbound: createOutbound({ allow: [], log }),
    wake,
    log,
    metrics: createMetrics(),
    traces: null,
  };
  return { context, clock };
}

/** A process that serves browsers and sends nothing. */
export async function startWidgetServer(
  lifetime: Lifetime,
  sql: Pool,
  shared: Shared = {},
): Promise<WidgetServer> {
  const { context, clock } = widgetContext(sql, shared);
  const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
  addRoutes(server, context);
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  lifetime.after(() => {
    const closed = server.close();
    // `fetch` opens connections ahead of need. The server would wait for those without a request.
    server.server.closeAllConnections();
    return closed;
  });
  return { context, clock, address, call: caller(address), close: () => server.close() };
}

/** Wakes the listeners of this process only. */
export function localWake(): Wake {
  type Listener = (text: string) => void;
  const listeners = new Map<string, Set<Listener>>();
  const of = (topic: string): Set<Listener> => {
    const known = listeners.get(topic) ?? new Set();
    listeners.set(topic, known);
    return known;
  };
  const tell = (topic: string, text: string): void => {
    for (const listener of of(topic)) listener(text);
  };
  const hear = (topic: string, listener: Listener) => {
    of(topic).add(listener);
    return () => void of(topic).delete(listener);
  };
  return {
    wake: (topic) => tell(topic, ''),
    subscribe: hear,
    tell,
    hear,
    close: async () => {},
  };
}

export const identitySecret = 'a secret of identities';
export const hashOf = (userId: string): string =>
  createHmac('sha256', identitySecret).update(userId).digest('hex');

/** A widget channel in a new project. */
export async function addWidget(
  { context }: Pick<WidgetServer, 'context'>,
  settings: Record<string, string> = { identity_secret: identitySecret },
): Promise<{ projectId: string; id: string }> {
  const projectId = await seedProject(context.sql);
  return addChannel(context, { projectId, platform: 'Widget', name: 'Shop', settings });
}

/** The actions of a shop's page in a visitor's browser. */
export type Browser = {
  session: string;
  post(path: string, body: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
  write(echoId: string, text: string): Promise<Answer>;
  /** Every event of the live connection, one at a time. The connection ends with the iteration. */
  live(since?: string): AsyncGenerator<{ id: string; message: LiveMessage }>;
};

type LiveMessage = { uuid: string; echo_id: string | null; from: string; text: string };

export async function openBrowser(
  { call, address }: Pick<WidgetServer, 'call' | 'address'>,
  channelId: string,
  user?: { id: string; name?: string },
): Promise<Browser> {
  const body = user ? { user: { ...user, hash: hashOf(user.id) } } : {};
  const opened = await call('POST', `/widget/${channelId}/sessions/`, {
    body,
    headers: { origin: 'https://shop.test' },
  });
  if (opened.status !== 201) throw new Error(`no session: ${opened.status} ${JSON.stringify(opened.body)}`);
  return browserWith({ call, address }, channelId, opened.body.session);
}

export function browserWith(
  { call, address }: Pick<WidgetServer, 'call' | 'address'>,
  channelId: string,
  session: string,
): Browser {
  const headers = { authorization: `Bearer ${session}`, origin: 'https://shop.test' };
  const post = (path: string, body: unknown) =>
    call('POST', `/widget/${channelId}/${path}`, { headers, body });
  return {
    session,
    post,
    get: (path) => call('GET', `/widget/${channelId}/${path}`, { headers }),
    write: (echoId, text) => post('messages/', { echo_id: echoId, text }),
    live: (since) => events(`${address}/widget/${channelId}/live/${since ? `?since=${since}` : ''}`, headers),
  };
}

async function* events(url: string, headers: Record<string, string>) {
  const ending = new AbortController();
  const response = await fetch(url, { headers, signal: ending.signal });
  if (!response.ok || !response.body) throw new Error(`no live connection: ${response.status}`);
  const told: { id: string; message: LiveMessage }[] = [];
  const parser = createParser({
    onEvent: ({ id = '', data }) => told.push({ id, message: JSON.parse(data) }),
  });
  try {
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      parser.feed(piece);
      yield* told.splice(0);
    }
  } finally {
    ending.abort();
  }
}

/** Returns the generator's next value. Fails when it has ended. */
export async function next<T>(from: AsyncGenerator<T>): Promise<T> {
  const { done, value } = await from.next();
  if (done) throw new Error('the live connection ended');
  return value;
}
