import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { collectDefaultMetrics, Gauge } from 'prom-client';
import type { MetricsSettings } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { isLoopback } from '../platform/loopback.ts';
import { constantTimeEqual } from '../platform/secrets/secret.ts';
import { collectFromDatabase } from './collect.ts';

export type MetricsServer = { address: string; stop(): Promise<void> };

/**
 * Answers `GET /metrics` in the text format of Prometheus, on an address of its own. The figures name projects and
 * channels, so they are for callers with the token, or on the same machine.
 */
export async function serveMetrics(
  context: Context,
  { port, host, token }: MetricsSettings,
): Promise<MetricsServer> {
  const { registry } = context.metrics;
  collectFromDatabase(context);
  // Memory, processor time, and the delay of the event loop.
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'patchbay_heap_limit_bytes',
    help: 'The size of the heap at which the process ends.',
    registers: [registry],
  }).set(getHeapStatistics().heap_size_limit);
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return answer(response, 404, '');
    const refusal = refusalOf(request, token);
    if (refusal) return answer(response, refusal, '');
    registry.metrics().then(
      (text) => answer(response, 200, text, registry.contentType),
      (error: unknown) => {
        context.log.warn({ err: error }, 'the metrics could not be read');
        answer(response, 500, '');
      },
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address();
  const address = typeof bound === 'object' && bound ? `http://${host}:${bound.port}/metrics` : '';
  context.log.info({ address }, 'metrics');
  return {
    address,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Without a token only names of this machine are answered. A page in a browser on it could otherwise give its own name
 * our address, and read the figures.
 */
function refusalOf({ headers }: IncomingMessage, token: string | null): 401 | 403 | undefined {
  if (token === null) {
    const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
    return isLoopback(name) ? undefined : 403;
  }
  const shown = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return constantTimeEqual(shown, token) ? undefined : 401;
}

function answer(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  response.writeHead(status, { 'content-type': type, ...challenge }).end(text);
}
