import { createGuards } from '../src/access/auth/guards.ts';
import { issueToken } from '../src/access/oauth/issue-token.ts';
import { connector } from '../src/messaging/connector/connector.ts';
import { router } from '../src/platform/http/router.ts';
import { createServer } from '../src/platform/http/server.ts';
import { manualClock } from './clock.ts';
import { testContext } from './context.ts';
import { testDatabase } from './database.ts';
import { checkAnswer } from './openapi/check-answer.ts';
import { seedApplication, seedChannel, seedEndpoint, seedProject } from './seed.ts';

type Lifetime = { after(cleanUp: () => Promise<void>): void };

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
export type Answer = { status: number; body: any };

/** The endpoint on a separate server. */
export async function startConnector(lifetime: Lifetime) {
  const { sql } = await testDatabase(lifetime);
  const context = testContext({ sql }, manualClock());
  const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
  router(server, context)('POST', '/api/partners/connector/', createGuards(context).requireOAuth, connector);
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  lifetime.after(() => server.close());

  const call = async (headers: Record<string, string>, body: unknown): Promise<Answer> => {
    const answer = await fetch(`${address}/api/partners/connector/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    await checkAnswer('POST', '/api/partners/connector/', {
      status: answer.status,
      headers: answer.headers,
      text,
    });
    return { status: answer.status, body: JSON.parse(text) };
  };

  /** An application with access to a project, and a webhook for every event. */
  const integrate = async (projectId: string) => {
    const applicationId = await seedApplication(sql);
    const { access_token: token } = await issueToken(context, { projectId, applicationId });
    const headers = { authorization: `Bearer ${token}` };
    return {
      applicationId,
      endpointId: await seedEndpoint(sql, projectId, applicationId),
      post: (body: unknown, more: Record<string, string> = {}) => call({ ...headers, ...more }, body),
    };
  };

  const project = async () => {
    const projectId = await seedProject(sql);
    return { projectId, channelId: await seedChannel(sql, projectId), ...(await integrate(projectId)) };
  };

  return { sql, call, integrate, project };
}

/** A valid `message_created`, with the test's changes. */
export const messageEvent = (chat: object, message: object = {}, more: object = {}) => ({
  event: 'message_created',
  chat,
  sender: { name: 'Olga', uuid: '0190a1b2-0000-7000-8000-00000000000a' },
  timestamp: 1_763_640_000_000,
  message: { type: 'text', text: 'hello', ...message },
  ...more,
});
