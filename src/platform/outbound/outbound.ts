import { validateHeaderValue } from 'node:http';
import type { Logger } from 'pino';
import { Agent, type Dispatcher, Pool } from 'undici';
import { type Answer, exchange, type Limits } from './exchange.ts';
import { OutboundFailed, toFailure } from './failure.ts';
import { createGuard, type Guard, OutboundRefused, portOf } from './guard.ts';
import type { Lookup } from './lookup.ts';

export { OutboundFailed, OutboundRefused };

export type OutboundAnswer = Answer;

export type OutboundRequest = Limits & {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Secrets that the path may carry, to be kept out of the log. */
  redact?: readonly string[];
};

/** The only way out: every call to an address that is not our own goes through the guard, the limits and the log. */
export type Outbound = {
  /** Follows no redirect: a 3xx is an answer. Throws `OutboundRefused` and `OutboundFailed`. */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Throws `OutboundRefused` for an address that a call would be refused for whatever its host name resolves to. */
  check(url: string): Promise<void>;
  /**
   * Where a protocol that is not HTTP reaches a host: only these may be connected to. Throws `OutboundRefused` and
   * `OutboundFailed`.
   */
  addressesOf(host: string, port: number): Promise<string[]>;
  /** Ends every connection. Calls still under way fail as `aborted`: whoever makes calls lets them end first. */
  close(): Promise<void>;
};

type Settings = {
  /** CIDR ranges, hosts and `host:port` that may be reached beyond the public internet. */
  allow: readonly string[];
  log: Logger;
  lookup?: Lookup;
};

const CONNECT_TIMEOUT_MS = 10_000;
/** Time for each of a host's addresses before the next is tried too; Node's 250 ms are short for the far side of the world. */
const ADDRESS_TIMEOUT_MS = 1000;
const IDLE_CONNECTION_MS = 4_000;
/** However long the peer offers to keep an idle connection: after that the name is resolved and checked anew. */
const MAX_IDLE_CONNECTION_MS = 10_000;

export function createOutbound({ allow, log, lookup }: Settings): Outbound {
  const guard = createGuard(allow, lookup);
  const agent = createAgent(guard);

  const call = async (request: OutboundRequest): Promise<Answer> => {
    const url = guard.admit(request.url);
    return exchange(agent, toDispatch(request, url), request);
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
    close: () => agent.destroy(),
  };
}

function notResolved(error: unknown): never {
  throw error instanceof OutboundRefused ? error : toFailure(error, false);
}

/** The same way out until the deadline, which no call can set later and none can forget. */
export const outboundUntil = (outbound: Outbound, deadline: AbortSignal): Outbound => ({
  ...outbound,
  request(request) {
    const { signal = deadline } = request;
    const both = signal === deadline ? deadline : AbortSignal.any([signal, deadline]);
    return outbound.request({ ...request, signal: both });
  },
});

/**
 * As many connections as there are calls: how many may be under way is for their makers to say, for each channel and
 * endpoint. A limit for a host would let one tenant's hanging calls keep those of all others at that host waiting.
 */
function createAgent(guard: Guard): Agent {
  return new Agent({
    factory: (origin) => {
      const port = portOf(new URL(origin));
      return new Pool(origin, {
        keepAliveTimeout: IDLE_CONNECTION_MS,
        keepAliveMaxTimeout: MAX_IDLE_CONNECTION_MS,
        // Each call has one timer of its own for everything.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: {
          timeout: CONNECT_TIMEOUT_MS,
          autoSelectFamily: true,
          autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
          // Not called for an address written as a number: `admit` has checked that one.
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

/** The client would refuse such a header too, but leaves the connection that it had chosen marked as busy for ever. */
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
