import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { Context } from '../src/context.ts';
import { recordEvents } from '../src/events/outbox.ts';
import { sealSecrets } from '../src/events/secrets.ts';
import { newWebhookSecret, signWebhook } from '../src/lib/signature.ts';
import { startWebhooks } from '../src/webhooks/engine.ts';

/** Events delivered a second: by the engine, and by a bare loop that makes the same signed calls. */
export type WebhookFigures = { bare: number; engine: number };

const callsAtOnce = 128;
const written = 1_000;

/** Delivers `count` events of as many chats to one receiver in another process. Wants a migrated, empty database. */
export async function benchWebhooks(context: Context, count: number): Promise<WebhookFigures> {
  const receiver = fork(fileURLToPath(new URL('./receiver.ts', import.meta.url)));
  const [port] = await once(receiver, 'message');
  const origin = `http://127.0.0.1:${port}`;
  try {
    await bareLoop(context, origin, Math.min(count, 2_000));
    const before = await bareLoop(context, origin, count);
    const engine = await engineRun(context, origin, count);
    const after = await bareLoop(context, origin, count);
    return { bare: (before + after) / 2, engine };
  } finally {
    receiver.disconnect();
  }
}

async function bareLoop({ newId, clock }: Context, origin: string, count: number): Promise<number> {
  const pool = new Pool(origin, { connections: callsAtOnce });
  const secrets = [newWebhookSecret()];
  let left = count;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const body = JSON.stringify({
        event_type: 'message_created',
        payload: payload(newId()),
        timestamp: left,
      });
      const headers = {
        'content-type': 'application/json',
        ...signWebhook({ id: newId(), timestamp: clock.now(), body, secrets }),
      };
      const answer = await pool.request({ path: '/', method: 'POST', headers, body });
      await answer.body.dump();
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: callsAtOnce }, work));
  const rate = perSecond(count, begun);
  await pool.close();
  return rate;
}

async function engineRun(context: Context, origin: string, count: number): Promise<number> {
  await prepare(context, `${origin}/`, count);
  const { promise: allCalled, resolve } = Promise.withResolvers<void>();
  let left = count;
  const counting: Context = {
    ...context,
    outbound: {
      ...context.outbound,
      request: async (call) => {
        const answer = await context.outbound.request(call);
        if (--left === 0) resolve();
        return answer;
      },
    },
  };
  const begun = performance.now();
  const engine = startWebhooks(counting);
  await allCalled;
  await engine.stop();
  return perSecond(count, begun);
}

async function prepare({ sql, newId, vault, clock }: Context, url: string, count: number): Promise<void> {
  const [projectId, applicationId, endpointId] = [newId(), newId(), newId()];
  const now = clock.now();
  const secrets = sealSecrets(vault, endpointId, [{ secret: newWebhookSecret(), until: null }]);
  await sql`insert into projects (id, name, created_at) values (${projectId}, 'bench', ${now})`;
  await sql`
    insert into applications (id, name, secret_hash, redirect_uris, created_at)
    values (${applicationId}, 'bench', '', '{}', ${now})`;
  await sql`
    insert into endpoints (project_id, id, application_id, url, event_types, platforms, sealed_secrets, created_at)
    values (${projectId}, ${endpointId}, ${applicationId}, ${url}, '{}', '{}', ${secrets}, ${now})`;
  for (let done = 0; done < count; done += written) {
    const events = Array.from({ length: Math.min(written, count - done) }, () => {
      const chatId = newId();
      return {
        type: 'message_created' as const,
        projectId,
        chatId,
        platform: 'Widget',
        payload: payload(chatId),
      };
    });
    await recordEvents(sql, events, now, newId);
  }
}

const payload = (chatId: string) => ({
  chat: { uuid: chatId, platform: 'Widget', name: 'Ann', phone: null, avatar: null },
  profile: { uuid: chatId },
  message: { uuid: chatId, type: 'text', text: 'Is my order on its way?', external_id: null },
  session: null,
});

const perSecond = (count: number, begun: number): number => (count / (performance.now() - begun)) * 1000;
