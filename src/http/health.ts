import type { FastifyInstance } from 'fastify';

/**
 * `/healthz` is 200 whenever the process serves, so that it is not restarted for its database's sake;
 * `/readyz` is 200 only while the database answers, so that no traffic is sent where it would fail.
 */
export function addHealthRoutes(server: FastifyInstance, checkDatabase: () => Promise<unknown>): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const ready = await checkDatabase().then(
      () => true,
      () => false,
    );
    return reply
      .code(ready ? 200 : 503)
      .send(ready ? { status: 'ok' } : { detail: 'The database does not answer.' });
  });
}
