import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerPage, type Control } from './control.ts';
import { createFeed } from './feed.ts';
import { createFiles, type Files } from './files.ts';
import { type Answering, type ApiAnswer, type ApiCall, callOf, give, type Place } from './http-api.ts';
import { listenAt } from './listening.ts';
import { createMemory } from './memory.ts';
import { createProvider, type Provider, type Surroundings } from './provider.ts';
import { httpPlayers, playEmail, playTelegramPersonal } from './registry.ts';

export type SimulatorOptions = {
  /** For the page and all HTTP APIs. Two ports for mail follow, and one for MTProto. 0 takes any free ports. */
  port: number;
  host: string;
  /** Keeps the registered addresses across restarts. Null keeps nothing. */
  memoryFile: string | null;
};

export type Simulator = {
  /** Of the page. */
  address: string;
  providers: ReadonlyMap<string, Provider>;
  files: Files;
  stop(): Promise<void>;
};

const tickMs = 1_000;

/** Plays all providers at one address, in memory. */
export async function startSimulator({ port, host, memoryFile }: SimulatorOptions): Promise<Simulator> {
  const cleanUps: (() => unknown)[] = [];
  const answerings = new Map<string, Answering>();
  const [files, feed] = [createFiles(), createFeed()];
  const server = createServer((request, response) => void answerAnything(request, response));
  const address = addressOf(host, await listenAt(server, port, host));
  cleanUps.push(() => close(server));
  const closeAll = () => Promise.all(cleanUps.map((cleanUp) => cleanUp()));

  const placeOf = (part: string): Place => ({
    after: (cleanUp) => void cleanUps.push(cleanUp),
    mount: (answering) => {
      answerings.set(part, answering);
      return rootOf(address, part);
    },
    lastNumber: Date.now(),
  });
  const providers = await createProviders(placeOf, port, { files, tell: feed.tell }).catch(async (error) => {
    await closeAll();
    throw error;
  });
  const control: Control = { address, providers, files, feed };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await callOf(request, response);
    const { part, path } = partOf(request.headers.host, call.path);
    const answering = answerings.get(part);
    const given = answering
      ? await answerAs(answering, { ...call, path })
      : await answerPage(call, response, control);
    if (given !== null) give(response, given);
  }

  /** A caller decides its own address and body, and no call may end the simulator. */
  async function answerAnything(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await answer(request, response);
    } catch {
      if (response.headersSent) response.destroy();
      else give(response, badRequest);
    }
  }

  const memory = createMemory(memoryFile, providers);
  for (const provider of providers.values()) provider.open(1);
  const timer = setInterval(() => {
    feed.tick(providers);
    memory.save();
  }, tickMs);

  return {
    address,
    providers,
    files,
    async stop() {
      clearInterval(timer);
      memory.save();
      feed.close();
      for (const provider of providers.values()) provider.stop();
      await closeAll();
    },
  };
}

async function createProviders(
  placeOf: (part: string) => Place,
  port: number,
  surroundings: Surroundings,
): Promise<Map<string, Provider>> {
  const providers = new Map<string, Provider>();
  for (const [part, play] of Object.entries(httpPlayers)) {
    providers.set(part, createProvider(part, await play(placeOf(part)), surroundings));
  }
  const after = (places: number): number => (port === 0 ? 0 : port + places);
  const others = {
    email: await playEmail(placeOf('email'), { smtp: after(1), imap: after(2) }),
    'telegram-personal': await playTelegramPersonal(placeOf('telegram-personal'), after(3)),
  };
  for (const [part, player] of Object.entries(others)) {
    providers.set(part, createProvider(part, player, surroundings));
  }
  return providers;
}

/** Providers with a name of their own: Ozon's files are recognised by the beginning of their path. */
const named = ['ozon'];

const rootOf = (address: string, part: string): string => {
  if (!named.includes(part)) return `${address}/${part}`;
  return `http://${part}.localhost:${new URL(address).port}`;
};

function partOf(host = '', path: string): { part: string; path: string } {
  const name = named.find((part) => host.startsWith(`${part}.localhost`));
  if (name !== undefined) return { part: name, path };
  const [, part = ''] = path.split('/');
  return { part, path: path.slice(part.length + 1) || '/' };
}

/** A provider refuses a body that it cannot read. */
async function answerAs(answering: Answering, call: ApiCall): Promise<ApiAnswer> {
  try {
    return await answering(call);
  } catch {
    return badRequest;
  }
}

const badRequest: ApiAnswer = { status: 400, body: 'Bad Request' };

const close = (server: Server): Promise<void> => {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
};

const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
