import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ApiCall = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

export type ApiAnswer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'close'
  /** Never. */
  | 'hang';

export type HttpApi = {
  /** For the setting `api_root`. */
  root: string;
  calls: ApiCall[];
  /** Calls for which this gives something are answered so; null for the others, and again with `() => null`. */
  react(reaction: (call: ApiCall) => ApiAnswer | null): void;
  /** Resolves with the first call, made already or still to come, that this is true of. */
  called(isMeant: (call: ApiCall) => boolean): Promise<ApiCall>;
};

/** Somebody's HTTP API on loopback. */
export async function startHttpApi(
  lifetime: { after(cleanUp: () => unknown): void },
  perform: (call: ApiCall) => ApiAnswer | Promise<ApiAnswer>,
): Promise<HttpApi> {
  const calls: ApiCall[] = [];
  const watchers: { isMeant: (call: ApiCall) => boolean; resolve: (call: ApiCall) => void }[] = [];
  let reaction: (call: ApiCall) => ApiAnswer | null = () => null;

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    const { method = 'GET', headers } = request;
    const call = { method, path: pathname, query: searchParams, headers, body: Buffer.concat(chunks) };
    calls.push(call);
    for (const { isMeant, resolve } of watchers) if (isMeant(call)) resolve(call);
    give(response, reaction(call) ?? (await perform(call)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  lifetime.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    root: `http://127.0.0.1:${port}`,
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

function give(response: ServerResponse, answer: ApiAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'close') return void response.destroy();
  const { status, body = {}, headers = {} } = answer;
  const isRaw = Buffer.isBuffer(body) || typeof body === 'string';
  const type = isRaw ? 'application/octet-stream' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(isRaw ? body : JSON.stringify(body));
}
