import type { Document } from '../../src/openapi/types.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { addRoutes } from '../../src/routes.ts';
import { manualClock } from '../clock.ts';
import { testContext } from '../context.ts';
import { noDatabase } from '../no-database.ts';

/** The API's description. */
export async function programDocument(): Promise<Document> {
  const context = testContext({ sql: noDatabase }, manualClock());
  const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
  addRoutes(server, context);
  const { body } = await server.inject('/api/partners/openapi.json');
  await server.close();
  await context.outbound.close();
  return JSON.parse(body);
}
