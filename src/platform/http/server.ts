import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { within } from '../work.ts';
import type { Admitted } from './admission.ts';
import { addBodyParsers, defaultBodyLimit } from './body.ts';
import { refuseBrokenRequest } from './broken-request.ts';
import { type Downloads, openDownloads } from './csv-download.ts';
import { errorHandler, HttpProblem } from './errors.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { unroutedRequests } from './unrouted.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The configured address of this service, without a trailing slash. */
    publicUrl: string;
    isClosing: boolean;
    /** Answers of any length that are being sent. A closing server ends them, because their readers may be slow. */
    downloads: Downloads;
  }
  interface FastifyRequest {
    /** The rest of the work for an admitted request. Null on routes that are no actions. */
    admitted: Admitted | null;
  }
  interface FastifyContextConfig {
    cors?: boolean;
  }
}

export type ServerOptions = {
  log: Logger;
  /** The public address of this service. All links begin with it. */
  publicUrl: string;
  /** Whether an error means that the database is temporarily unavailable, which is a 503. */
  isUnavailable?: (error: unknown) => boolean;
};

/** A request has 15 s for its headers and 60 s in total: 16 MiB then need at most 280 kB/s. */
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 60_000;
/** A connection on which nothing moves ends, so that an unread answer is not held forever. */
const silenceTimeoutMs = 120_000;
const timeoutCheckMs = 5_000;
const idleCheckMs = 50;

/**
 * Longer than any request line that Node reads. A long parameter is therefore looked up and not found, like any
 * other.
 */
const maxParamLength = 32 * 1024;

/**
 * The HTTP server of all features: request ids, parsing, errors, unknown paths and methods. `router` adds the routes.
 */
export function createServer({
  log,
  publicUrl,
  isUnavailable = () => false,
}: ServerOptions): FastifyInstance {
  const server = fastify({
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: defaultBodyLimit,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: silenceTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      // Node itself would answer with no text.
      requireHostHeader: false,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength },
    return503OnClosing: false,
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      addCommonHeaders(request, reply);
      answerError(error, request, reply);
    },
  });
  const answerError = errorHandler(log, isUnavailable);
  const unrouted = unroutedRequests();
  const addCommonHeaders = commonHeaders(publicUrl);

  server.decorate('publicUrl', publicUrl.replace(/\/+$/, ''));
  server.decorateRequest('admitted', null);
  server.decorateRequest('work', null);
  server.setErrorHandler(answerError);
  addBodyParsers(server);
  server.decorate('isClosing', false);
  server.decorate('downloads', openDownloads());
  server.addHook('preClose', async () => {
    server.isClosing = true;
    for (const { file } of server.downloads.running) file?.destroy();
  });
  hangUpWhenClosing(server);
  passOverExpectations(server);
  server.addHook('onRoute', unrouted.remember);
  server.addHook('onRequest', oneAtATime());
  server.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    if (isWithoutHost(request)) done(new HttpProblem(400, 'The request has no Host header.'));
    else if (unrouted.isTaken(request)) done();
    else unrouted.answer(request, reply);
  });
  if (log.isLevelEnabled('debug')) server.addHook('onResponse', logAnswer(log));
  return server;
}

/**
 * Closing waits for connections. A connection whose last answer comes after the closing began stays open as long as
 * its client likes. That is a minute and more. A connection that has never sent a request does not even count as
 * idle.
 */
function hangUpWhenClosing(server: FastifyInstance): void {
  const silent = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.server.on('request', ({ socket }) => silent.delete(socket));
  server.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy();
    if (!server.server.listening) return;
    const timer = setInterval(() => server.server.closeIdleConnections(), idleCheckMs);
    server.server.once('close', () => clearInterval(timer));
  });
}

/** Node itself would refuse an `Expect` other than `100-continue` with a bare status. RFC 9110, 10.1.1 allows it. */
function passOverExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Source: RFC 9112, section 3.2. */
const isWithoutHost = ({ headers, raw }: FastifyRequest): boolean =>
  headers.host === undefined && raw.httpVersion === '1.1';

/** The caller's own id if it is valid, so that a request can be followed through several systems. */
function requestId({ headers }: { headers: Record<string, string | string[] | undefined> }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/**
 * An answer of the API is data: browsers may neither guess its type, nor run it, nor frame it. Pages set their own
 * headers.
 */
function commonHeaders(publicUrl: string) {
  const secured = publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' };
  const constant = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...secured,
  };
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(constant).header('x-request-id', request.id);
  };
}

/**
 * Logs one line a request, without bodies and headers: both carry secrets. The path is the route's pattern, because a
 * real path carries names and numbers.
 */
function logAnswer(log: Logger) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const line = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    within(request.work ?? {}, () => log.debug(line, 'request answered'));
  };
}
