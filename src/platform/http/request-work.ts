import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Span } from '../telemetry/traces.ts';
import type { Work } from '../work.ts';
import { isRecord } from './json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before a route is found. */
    work: RequestWork | null;
  }
}

/** A request, as its log lines and its trace know it. */
export type RequestWork = Work & { span: Span | null };

/** Begins a request's span, which ends with the response. The caller's `traceparent` may only become its parent. */
export function beginRequest(
  { traces }: Pick<Context, 'traces'>,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestWork {
  const { id: requestId, method, headers } = request;
  const { authorization = '', cookie = '' } = headers;
  // Until the caller is known. Requests with the same credentials wait in the same line.
  const owner = `stranger ${authorization || cookie}`;
  if (!traces) return { requestId, owner, span: null };
  const route = request.routeOptions.url ?? '';
  const { traceparent } = headers;
  const header = typeof traceparent === 'string' ? traceparent : undefined;
  const span = traces.receive(header, {
    name: `${method} ${route}`,
    kind: 'server',
    facts: { method, route },
  });
  // Also when the caller goes before the end.
  reply.raw.once('close', () => {
    const { statusCode: status } = reply;
    span?.end({ status, ...(status >= 500 && { error: String(status) }) });
  });
  return { requestId, owner, trace: span?.trace, span };
}

/** The project of the caller that the guard admitted. */
export function tellCaller({ work }: FastifyRequest, principal: unknown): void {
  if (!work?.span || !isRecord(principal)) return;
  const { projectId } = principal;
  if (typeof projectId === 'string') work.span.tell({ project: projectId });
}
