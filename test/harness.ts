import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { createApplication } from '../src/access/oauth/applications.ts';
import { issueToken } from '../src/access/oauth/issue-token.ts';
import { createProject } from '../src/access/projects/projects.ts';
import { addChannel } from '../src/channels/connected/channels.ts';
import type { Config } from '../src/platform/config.ts';
import type { Pool } from '../src/platform/database/database.ts';
import { type Parts, type Service, startService } from '../src/service.ts';
import { testDatabase } from './database.ts';
import { checkAnswer } from './openapi/check-answer.ts';
import { type Messenger, startMessenger } from './stand-ins/messenger.ts';

/** A test, or a whole file through `node:test`'s `after`. */
export type Lifetime = { after(cleanUp: () => Promise<void>): void };

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
export type Answer = { status: number; headers: Headers; body: any };

export type Call = (
  method: string,
  path: string,
  options?: { headers?: Record<string, string>; body?: unknown },
) => Promise<Answer>;

export type Patchbay = Service & {
  call: Call;
  /** For tests that insert thousands of rows. */
  longSql: Pool;
};

export const testConfig = (config: Partial<Config> = {}): Config => ({
  port: 0,
  host: '127.0.0.1',
  publicUrl: 'https://patchbay.test',
  databaseUrl: null,
  databaseListenUrl: null,
  databasePoolSize: 8,
  dataDir: tmpdir(),
  diskReserveBytes: 0,
  s3: null,
  projectStorageBytes: 2 ** 30,
  secretKey: randomBytes(32).toString('base64'),
  // Stand-ins listen on loopback, which the guard refuses by default.
  allowOutbound: ['127.0.0.0/8'],
  // Tests set their address through it.
  trustedProxies: [ipaddr.parseCIDR('127.0.0.0/8')],
  smtp: null,
  hasDemo: true,
  projectsBy: 'owners',
  roles: ['api', 'worker'],
  metrics: null,
  traces: null,
  logLevel: 'silent',
  ...config,
});

/** The whole program on a new database. Both end with the test. */
export async function startPatchbay(
  lifetime: Lifetime,
  { config = {}, ...parts }: { config?: Partial<Config> } & Parts = {},
): Promise<Patchbay> {
  const cleanUps: (() => Promise<void>)[] = [];
  lifetime.after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  const database = parts.database ?? (await testDatabase({ after: (cleanUp) => cleanUps.push(cleanUp) }));
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const service = await startService(testConfig(config), { log, ...parts, database });
  cleanUps.unshift(() => service.stop());
  return { ...service, call: caller(service.address), longSql: database.longSql };
}

/** Checks every answer of the partner API against its description. */
export const caller =
  (address: string): Call =>
  async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(address + path, {
      method,
      redirect: 'manual',
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const { status, headers: answered } = response;
    await checkAnswer(method, path, { status, headers: answered, text });
    return { status, headers: answered, body: parsed(text) };
  };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export type Partner = {
  projectId: string;
  applicationId: string;
  botKey: string;
  /** Headers with a token, and with a key. */
  token: Record<string, string>;
  key: Record<string, string>;
  channel: { id: string; secret: string };
  messenger: Messenger;
  /** Lets a client write for the first time, and returns the ids of the new chat. */
  client(
    name: string,
    chat?: Record<string, string>,
  ): Promise<{ chat: string; profile: string; message: string }>;
};

/** A project with an application, a key and an API_Messenger channel whose messenger is a stand-in. */
export async function createPartner(
  lifetime: Lifetime,
  { context, call }: Pick<Patchbay, 'context' | 'call'>,
): Promise<Partner> {
  const project = await createProject(context, { name: 'Test project' });
  const application = await createApplication(context, {
    name: 'CRM',
    redirectUris: ['https://crm.test/callback'],
  });
  const tokens = await issueToken(context, { projectId: project.id, applicationId: application.clientId });
  const messenger = await startMessenger(lifetime);
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const { id } = await addChannel(context, {
    projectId: project.id,
    platform: 'API_Messenger',
    name: 'Messenger',
    settings: { webhook_url: messenger.url, secret },
  });
  return {
    projectId: project.id,
    applicationId: application.clientId,
    botKey: project.botKey,
    token: { authorization: `Bearer ${tokens.access_token}` },
    key: { 'bot-key': project.botKey },
    channel: { id, secret },
    messenger,
    client: async (name, chat = {}) => {
      const { status, body } = await call('POST', `/channels/${id}/messages/`, {
        headers: { authorization: `Bearer ${secret}` },
        body: {
          chat: { external_id: name, name, ...chat },
          message: { external_id: `first-${name}`, type: 'text', text: 'Hi' },
        },
      });
      if (status !== 200) throw new Error(`The client could not write: ${status} ${JSON.stringify(body)}`);
      return { chat: body.chat_uuid, profile: body.profile_uuid, message: body.message_uuid };
    },
  };
}
