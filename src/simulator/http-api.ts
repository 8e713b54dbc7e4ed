import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenAt } from './listening.ts';

export type ApiCall = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Aborts when the connection of the call has ended, on either side. */
  signal: AbortSignal;
};

export type ApiAnswer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'close'
  /** Never. */
  | 'hang';

export type Answering = (call: ApiCall) => ApiAnswer | Promise<ApiAnswer>;

export type Reaction = (call: ApiCall) => ApiAnswer | null | Promise<ApiAnswer | null>;

export type HttpApi = {
  /** For the setting `api_root`. */
  root: string;
  /** Empty in the simulator, which runs for days. */
  calls: ApiCall[];
  /** Sets the answer to calls for which this returns one. `() => null` restores normal answers. */
  react(reaction: Reaction): void;
  /** Resolves with the first matching call, past or future. */
  called(isMeant: (call: ApiCall) => boolean): Promise<ApiCall>;
};

/** The place of a provider: a port of its own in tests, a part of one address in the simulator. */
export type Place = {
  after(cleanUp: () => unknown): void;
  /** Gives the provider a part of the simulator's address. */
  mount?(answer: Answering): string;
  /** Before the first id. A provider repeats no id, also after the simulator's restart. Default: 0. */
  lastNumber?: number;
};

/** The HTTP API of a provider. */
export async function startHttpApi(place: Place, perform: Answering): Promise<HttpApi> {
  const calls: ApiCall[] = [];
  const watchers: { isMeant: (call: ApiCall) => boolean; resolve: (call: ApiCall) => void }[] = [];
  let reaction: Reaction = () => null;

  async function answer(call: ApiCall): Promise<ApiAnswer> {
    if (!place.mount) calls.push(call);
    for (const { isMeant, resolve } of watchers) if (isMeant(call)) resolve(call);
    return (await reaction(call)) ?? perform(call);
  }

  return {
    root: place.mount ? place.mount(answer) : await listen(place, answer),
    calls,
    react: (next) => {
      reaction = next;
    },
    called: (isMeant) =>
      new Promise((resolve) => {
        const made = calls.find(isMeant);
        if (made) resolve(made);
        else watchers.push({ isMeant, resolve });
      }),
  };
}

async function listen(place: Place, answer: Answering): Promise<string> {
  const server = createServer(async (request, response) => {
    give(response, await answer(await callOf(request, response)));
  });
  const port = await listenAt(server, 0);
  place.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

/** No provider takes a larger file from us. */
const mostBytes = 128 * 1024 * 1024;

export async function callOf(request: IncomingMessage, response: ServerResponse): Promise<ApiCall> {
  const end = new AbortController();
  response.on('close', () => end.abort());
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > mostBytes) request.destroy();
    chunks.push(chunk);
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider');
  const { method = 'GET', headers } = request;
  const body = Buffer.concat(chunks);
  return { method, path: pathname, query: searchParams, headers, body, signal: end.signal };
}

export function give(response: ServerResponse, answer: ApiAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'close') return void response.destroy();
  const { status, body = {}, headers = {} } = answer;
  const isRaw = Buffer.isBuffer(body) || typeof body === 'string';
  const type = isRaw ? 'application/octet-stream' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(isRaw ? body : JSON.stringify(body));
}

export type FormFile = { name: string; type: string; bytes: Buffer };

/** The bytes of the only file of a form. Empty if it has none. */
export const fileOfForm = (body: Buffer): Buffer =>
  Object.values(fieldsOfForm(body)).find((field) => typeof field !== 'string')?.bytes ?? Buffer.alloc(0);

/** The fields of a form: texts and files. */
export function fieldsOfForm(body: Buffer): Record<string, string | FormFile> {
  const head = body.indexOf('\r\n');
  const mark = Buffer.concat([Buffer.from('\r\n'), body.subarray(0, head)]);
  const fields: [name: string, value: string | FormFile][] = [];
  let from = head + 2;
  for (let to = body.indexOf(mark, from); to >= 0; to = body.indexOf(mark, from)) {
    fields.push(fieldOf(body.subarray(from, to)));
    from = to + mark.length + 2;
  }
  return Object.fromEntries(fields);
}

function fieldOf(part: Buffer): [name: string, value: string | FormFile] {
  const end = part.indexOf('\r\n\r\n');
  const head = part.toString('utf8', 0, end);
  const bytes = part.subarray(end + 4);
  const [, name = ''] = / name="([^"]*)"/.exec(head) ?? [];
  const file = / filename="([^"]*)"/.exec(head)?.[1];
  if (file === undefined) return [name, bytes.toString()];
  const [, type = ''] = /^content-type: (.*)$/im.exec(head) ?? [];
  return [name, { name: file, type, bytes }];
}
