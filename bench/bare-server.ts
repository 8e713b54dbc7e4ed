/**
 * The reference of the accept row: a Fastify server that validates the same JSON schema and does one INSERT per
 * request into a plain table, on the same database. It has no credentials, no recipient and no queue.
 */
import fastify from 'fastify';
import { pino } from 'pino';
import { PushMessage, PushMessageCreate } from '../src/messaging/push-messages/schema.ts';
import { loadConfig } from '../src/platform/config.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { uuidv7 } from '../src/platform/id.ts';

const config = loadConfig();
const { sql } = await openDatabase({ ...config, log: pino({ level: 'silent' }) });
await sql`create table if not exists bare_messages (id uuid primary key, content jsonb, created_at timestamptz)`;

const customOptions = { coerceTypes: false, removeAdditional: false, formats: { phone: true } } as const;
const server = fastify({ ajv: { customOptions } });
server.post<{ Body: PushMessageCreate }>(
  '/api/partners/push-messages/',
  { schema: { body: PushMessageCreate, response: { 201: PushMessage } } },
  async ({ body }, reply) => {
    const now = new Date();
    const uuid = uuidv7(now);
    await sql`insert into bare_messages values (${uuid}, ${sql.json(body.content)}, ${now})`;
    reply.code(201);
    return {
      uuid,
      chat: { uuid: body.chat?.uuid ?? null, platform: 'API_Messenger' },
      state: { code: 'PENDING', detail: '' },
      content: body.content,
      launch_at: null,
      created_at: now.toISOString(),
      sent_at: null,
      delivered_at: null,
      read_at: null,
    } satisfies PushMessage;
  },
);
server.get('/healthz', async () => ({ status: 'ok' }));
await server.listen({ port: config.port, host: config.host });
