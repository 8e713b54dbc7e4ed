import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../telemetry/metrics.ts';

/** Notes the duration of every answered request. Unknown addresses count as one route. */
export function observeRequests(server: FastifyInstance, { requestSeconds }: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const labels = { method, route: routeOptions.url ?? 'unknown', status: String(reply.statusCode) };
    requestSeconds.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}
