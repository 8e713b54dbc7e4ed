import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { whyUnwritable } from '../database/unavailable.ts';
import { errorText } from '../error-text.ts';
import { loggable } from '../log.ts';
import { Invalid, NotFound, Refused, Throttled, Unavailable } from '../problem.ts';
import { within } from '../work.ts';

/** A refusal that belongs to HTTP itself and not to a feature: media types, methods, credentials. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }
}

/** The two sentences for refused credentials. Source: docs/contract.md, sections 1 and 2. */
export const credentials = {
  missing: 'Authentication credentials were not provided.',
  incorrect: 'Incorrect authentication credentials.',
} as const;

type CredentialsDetail = (typeof credentials)[keyof typeof credentials];

/** 401, for paths that accept a key or OAuth. */
export class Unauthorized extends HttpProblem {
  constructor(detail: CredentialsDetail) {
    super(401, detail, { 'www-authenticate': 'Bearer realm="api"' });
  }
}

/** 403, for paths that accept OAuth only. */
export class Forbidden extends HttpProblem {
  constructor(detail: CredentialsDetail) {
    super(403, detail);
  }
}

const unavailable = 'The service is temporarily unavailable.';
const soon = { 'retry-after': '1' };

/** Another attempt reaches another process, or this one after its start. */
export class Closing extends Unavailable {
  constructor() {
    super('the server is closing');
  }
}

type Answer = { status: number; body: object; headers?: Readonly<Record<string, string>> };

const detail = (status: number, text: string, headers?: Readonly<Record<string, string>>): Answer => ({
  status,
  body: { detail: text },
  headers,
});

const internalError = detail(500, 'Internal server error.');
const unavailableNow = detail(503, unavailable, soon);

/** The refusals of fastify itself, in our words: its own texts would reveal how the server is made. */
const frameworkDetails: Record<string, [status: number, text: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'Request body is too large.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'Request body size did not match Content-Length.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Unsupported media type in request.'],
  FST_ERR_BAD_URL: [404, 'Not found.'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'Not found.'],
};

const isAborted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';

const answerTo = (error: unknown, isUnavailable: (error: unknown) => boolean): Answer => {
  if (error instanceof Invalid) return { status: 400, body: error.fields };
  if (error instanceof NotFound) return detail(404, error.message);
  if (error instanceof Refused) return detail(400, error.message);
  if (error instanceof Throttled) {
    return detail(429, error.message, { 'retry-after': String(error.retryAfterSeconds) });
  }
  if (error instanceof Unavailable) return unavailableNow;
  if (error instanceof HttpProblem) return detail(error.status, error.message, error.headers);
  if (isUnavailable(error)) {
    const reason = whyUnwritable(error);
    return reason ? detail(503, reason, soon) : unavailableNow;
  }
  if (isAborted(error)) return detail(400, 'The request was not sent to its end.');
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const known = typeof code === 'string' ? frameworkDetails[code] : undefined;
  return known ? detail(...known) : internalError;
};

type Written = { status: number; text: string; headers?: Answer['headers']; cause: unknown };

/** Writes the answer here: if that failed inside fastify, fastify would answer with its own text. */
function writeAnswer(error: unknown, isUnavailable: (error: unknown) => boolean): Written {
  try {
    const { status, body, headers } = answerTo(error, isUnavailable);
    return { status, text: JSON.stringify(body), headers, cause: error };
  } catch (cause) {
    return { status: internalError.status, text: JSON.stringify(internalError.body), cause };
  }
}

/** Turns every error into an answer. Only a 5xx is logged. */
export const errorHandler =
  (log: Logger, isUnavailable: (error: unknown) => boolean) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, text, headers, cause } = writeAnswer(error, isUnavailable);
    if (status >= 500) {
      const { id: requestId, method } = request;
      const line = { requestId, method, route: request.routeOptions.url };
      within(request.work ?? {}, () => {
        if (status === 500) log.error({ ...line, error: loggable(cause) }, 'request failed');
        // Many in an outage, perhaps beside a disk that is full.
        else log.warn({ ...line, reason: errorText(cause) }, 'request could not be served');
      });
    }
    return reply
      .code(status)
      .headers(headers ?? {})
      .type('application/json; charset=utf-8')
      .send(text);
  };
