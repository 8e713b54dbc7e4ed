import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { TestContext } from 'node:test';

/**
 * A server of another site; returns its origin. `localhost` is another site than 127.0.0.1, and another port is
 * another origin.
 */
export async function startSite(
  t: TestContext,
  answer: RequestListener,
  host: 'localhost' | '127.0.0.1' = 'localhost',
): Promise<string> {
  const server = createServer(answer).listen(0, host);
  await once(server, 'listening');
  t.after(async () => void server.close());
  const listening = server.address();
  return `http://${host}:${typeof listening === 'object' ? listening?.port : ''}`;
}
