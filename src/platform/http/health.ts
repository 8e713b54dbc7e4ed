import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { whyUnwritable } from '../database/unavailable.ts';

const patienceMs = 1_800;

/**
 * `/healthz` is 200 whenever the process serves, so that a failing database restarts no process. `/readyz` is 200
 * only while the database takes writes, so that no traffic goes where it would fail.
 */
export function addHealthRoutes(server: FastifyInstance, checkDatabase: () => Promise<unknown>): void {
  // Callers share a running query, so that a hanging database gets no queue of them.
  let asked: Promise<string | undefined> | undefined;
  const ask = () => {
    asked ??= checkDatabase()
      .then(() => undefined, problemOf)
      .finally(() => {
        asked = undefined;
      });
    return asked;
  };
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const answered = new AbortController();
    const late = delay(patienceMs, 'The database does not answer in time.', { signal: answered.signal });
    const problem = await Promise.race([ask(), late]);
    answered.abort();
    late.catch(() => {});
    return problem ? reply.code(503).send({ detail: problem }) : { status: 'ok' };
  });
}

const problemOf = (error: unknown): string => whyUnwritable(error) ?? 'The database does not answer.';
