import { validateHeaderValue } from 'node:http';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { Logger } from 'pino';
import { Agent, type Dispatcher, Pool } from 'undici';
import { createAgents } from './agents.ts';
import { createAnswerRoom, type Reader } from './answer-room.ts';
import { type Answer, exchange, type Limits } from './exchange.ts';
import { OutboundFailed, toFailure } from './failure.ts';
import { createGuard, type Guard, OutboundRefused, portOf } from './guard.ts';
import type { Lookup } from './lookup.ts';
import { dispatcherOver, type StoredAnswer } from './stored-answer.ts';

export { OutboundFailed, OutboundRefused };

export type OutboundAnswer = Answer;

export type OutboundRequest = Limits & {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Certificates in PEM that are trusted too. */
  ca?: string;
  /** Secrets that may occur in the path, to be kept out of the log. */
  redact?: readonly string[];
  /** A large answer takes the reader's room, and waits for it. Calls without a reader share theirs. */
  reader?: Reader;
  /** Instead of a call. */
  stored?: StoredAnswer;
};

/** The only way out: every call to a foreign address passes the guard, the limits and the log. */
export type Outbound = {
  /** Does not follow redirects: a 3xx is an answer. Throws `OutboundRefused` and `OutboundFailed`. */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Throws `OutboundRefused` for an address that is refused regardless of its host's resolution. */
  check(url: string): Promise<void>;
  /** The addresses of a host for other protocols than HTTP. Throws `OutboundRefused` and `OutboundFailed`. */
  addressesOf(host: string, port: number): Promise<string[]>;
  /** Ends every connection. Running calls fail as `aborted`, so callers let their calls end first. */
  close(): Promise<void>;
};

type Settings = {
  /** CIDR ranges, hosts and `host:port` that may be reached beyond the public internet. */
  allow: readonly string[];
  log: Logger;
  lookup?: Lookup;
};

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * The time for each of a host's addresses before the next is tried too. Node's 250 ms are short for distant hosts.
 */
const ADDRESS_TIMEOUT_MS = 1000;
const IDLE_CONNECTION_MS = 4_000;
/** The limit on an idle connection, whatever the peer offers. Afterwards the name is resolved and checked anew. */
const MAX_IDLE_CONNECTION_MS = 10_000;

export function createOutbound({ allow, log, lookup }: Settings): Outbound {
  const guard = createGuard(allow, lookup);
  const agents = createAgents((ca) => createAgent(guard, ca));
  const room = createAnswerRoom();

  const call = async (request: OutboundRequest): Promise<Answer> => {
    const { stored, ca = '', reader } = request;
    const { owner = '', until }: Partial<Reader> = reader ?? {};
    const url = stored ? new URL(request.url) : guard.admit(request.url);
    const dispatcher = stored ? dispatcherOver(stored) : agents.of(ca);
    return exchange(dispatcher, toDispatch(request, url), request, {
      reserve: (bytes, given) => room.reserve(bytes, owner, given),
      until,
    });
  };

  return {
    request: (request) => (log.isLevelEnabled('debug') ? logged(request, call, log) : call(request)),
    check: async (url) => {
      guard.admit(url);
    },
    addressesOf: async (host, port) => {
      const addresses = await guard.resolveFor(host, port).catch(notResolved);
      return addresses.map(({ address }) => address);
    },
    close: () => agents.destroy(),
  };
}

function notResolved(error: unknown): never {
  throw error instanceof OutboundRefused ? error : toFailure(error, false);
}

/** Why the address is refused, regardless of its host's resolution. Undefined if it is not. */
export async function whyRefused(
  outbound: Pick<Outbound, 'check'>,
  url: string,
): Promise<string | undefined> {
  try {
    await outbound.check(url);
    return undefined;
  } catch (error) {
    if (error instanceof OutboundRefused) return error.message;
    throw error;
  }
}

/** The same way out with a deadline, which no call can postpone or omit. */
export const outboundUntil = (outbound: Outbound, deadline: AbortSignal): Outbound => ({
  ...outbound,
  request(request) {
    const { signal = deadline } = request;
    const both = signal === deadline ? deadline : AbortSignal.any([signal, deadline]);
    return outbound.request({ ...request, signal: both });
  },
});

/** The same way out for a reader. */
export const outboundFor = (outbound: Outbound, reader: Reader): Outbound => ({
  ...outbound,
  request: (request) => outbound.request({ ...request, reader: { ...reader, ...request.reader } }),
});

/**
 * As many connections as calls: the callers limit their calls, for each channel and endpoint. A limit per host would
 * let one tenant's hanging calls block all others at that host.
 */
function createAgent(guard: Guard, ca: string): Agent {
  const trust = ca && { secureContext: createSecureContext({ ca: [...getCACertificates(), ca] }) };
  return new Agent({
    factory: (origin) => {
      const port = portOf(new URL(origin));
      return new Pool(origin, {
        keepAliveTimeout: IDLE_CONNECTION_MS,
        keepAliveMaxTimeout: MAX_IDLE_CONNECTION_MS,
        // Each call has one timer for everything.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: {
          ...trust,
          timeout: CONNECT_TIMEOUT_MS,
          autoSelectFamily: true,
          autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
          // Not called for a numeric address: `admit` has checked it.
          lookup: (hostname, _options, callback) => {
            guard.resolve(hostname, port).then(
              (addresses) => callback(null, addresses),
              (error) => callback(error, []),
            );
          },
        },
      });
    },
  });
}

function toDispatch({ method, headers, body }: OutboundRequest, url: URL): Dispatcher.DispatchOptions {
  checkHeaders(headers ?? {});
  return { origin: url.origin, path: url.pathname + url.search, method, headers, body };
}

/** The client would refuse an invalid header too, but would mark its connection as busy forever. */
function checkHeaders(headers: Record<string, string>): void {
  try {
    for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
  } catch (error) {
    throw toFailure(error, false);
  }
}

/** Logs the exchange without its query, headers and bodies. */
async function logged(
  request: OutboundRequest,
  call: (request: OutboundRequest) => Promise<Answer>,
  log: Logger,
): Promise<Answer> {
  const begun = performance.now();
  const entry = { method: request.method, target: redactedTarget(request) };
  const ms = () => Math.round(performance.now() - begun);
  try {
    const answer = await call(request);
    log.debug({ ...entry, status: answer.status, ms: ms() }, 'outbound call answered');
    return answer;
  } catch (error) {
    const failure = error instanceof OutboundFailed ? error.kind : 'refused';
    log.debug({ ...entry, failure, ms: ms() }, 'outbound call failed');
    throw error;
  }
}

function redactedTarget({ url, redact = [] }: OutboundRequest): string {
  const parsed = URL.parse(url);
  if (!parsed) return '';
  return redact
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((text, secret) => text.replaceAll(secret, '***'), parsed.origin + parsed.pathname);
}
