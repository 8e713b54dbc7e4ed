import type { Context } from '../../src/platform/context.ts';
import { addHealthRoutes } from '../../src/platform/http/health.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { addRoutes } from '../../src/routes.ts';

/**
 * Every route of the program with its methods, from the server itself: `GET /healthz`. No route can be forgotten
 * here.
 */
export async function allRoutes(context: Context): Promise<string[]> {
  const routes = new Set<string>();
  const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
  server.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routes.add(`${name} ${url}`);
  });
  addHealthRoutes(server, async () => {});
  addRoutes(server, context);
  await server.ready();
  await server.close();
  return [...routes].sort();
}
