import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { collectDefaultMetrics } from 'prom-client';
import type { Context } from '../platform/context.ts';
import { collectFromDatabase } from './collect.ts';

export type MetricsServer = { address: string; stop(): Promise<void> };

/**
 * Answers `GET /metrics` in the text format of Prometheus, on an address of its own. The figures name projects and
 * channels, so the address is not for the public.
 */
export async function serveMetrics(context: Context, port: number): Promise<MetricsServer> {
  const { registry } = context.metrics;
  collectFromDatabase(context);
  // Memory, processor time, and the delay of the event loop.
  collectDefaultMetrics({ register: registry });
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return answer(response, 404, '');
    registry.metrics().then(
      (text) => answer(response, 200, text, registry.contentType),
      (error: unknown) => {
        context.log.warn({ err: error }, 'the metrics could not be read');
        answer(response, 500, '');
      },
    );
  });
  server.listen(port, context.config.metricsHost);
  await once(server, 'listening');
  const bound = server.address();
  const address =
    typeof bound === 'object' && bound ? `http://${context.config.metricsHost}:${bound.port}/metrics` : '';
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

function answer(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type }).end(text);
}
