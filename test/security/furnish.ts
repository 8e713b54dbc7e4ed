import { randomUUID } from 'node:crypto';
import { createApplication } from '../../src/access/oauth/applications.ts';
import { createCode } from '../../src/access/oauth/create-code.ts';
import { issueToken } from '../../src/access/oauth/issue-token.ts';
import { challengeOf } from '../../src/access/oauth/rules.ts';
import { createUser } from '../../src/access/operators/create-user.ts';
import { createSignInLink } from '../../src/access/operators/sign-in-link.ts';
import { createProject } from '../../src/access/projects/projects.ts';
import { addAttribute, addTag } from '../../src/clients/profiles/dictionary.ts';
import { setProjectWebhook } from '../../src/events/endpoints/project-webhook.ts';
import { firstSecrets, sealSecrets } from '../../src/events/secrets.ts';
import { addTemplate } from '../../src/messaging/templates/templates.ts';
import type { Context } from '../../src/platform/context.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import type { Patchbay } from '../harness.ts';
import { addSpares } from './administration-probes.ts';
import { ask } from './ask.ts';
import { addDesk } from './chat-center-probes.ts';
import { addChannels, addChats, inAscii } from './furnish-chats.ts';
import { addIframeLink } from './iframe-probes.ts';
import { addMailing } from './mailing-probes.ts';
import { addSessions } from './people-probes.ts';
import { addRetentionRows } from './retention-rows.ts';
import { addScenarioRows } from './scenario-rows.ts';

export const redirectUri = 'https://crm.test/callback';

/** Common to all projects, so that one project's could be confused with another's. */
export type Shared = { clientId: string; clientSecret: string };

/** The addresses that are called while a project is furnished and used. */
export type Outside = { webhookUrl: string; telegramRoot: string };

export type Furnished = Awaited<ReturnType<typeof furnish>>;

/**
 * A project with one of everything. `name` is part of every name that others could know. Secret texts of its people
 * contain `hush-` and the name. `digit` makes its numbers differ from another project's.
 */
export async function furnish(
  patchbay: Patchbay,
  { name, digit, shared, outside }: { name: string; digit: number; shared: Shared; outside: Outside },
) {
  const { context } = patchbay;
  const { id: projectId, botKey } = await createProject(context, { name });
  const people = await addPeople(context, projectId, name);
  const access = await addAccess(context, { projectId, name, shared, ...people });
  const words = await addWords(context, projectId, name);
  const endpoints = await addEndpoints(context, projectId, [access.own.clientId, shared.clientId], outside);
  const channels = await addChannels(context, projectId, name, outside);
  const chats = await addChats(patchbay, projectId, { name, digit, channels });
  const written = await write(patchbay, { name, chats, botKey, token: access.sharedToken });
  const promocodes = await addPromocodes(patchbay, { name, botKey, chatId: chats.chatId });
  const mailing = await addMailing(patchbay, { name, projectId, botKey, ...chats });
  const iframe = await addIframeLink(patchbay, { ...people, ...chats, token: access.token });
  const sessions = await addSessions(context, { projectId, name, ...people });
  const spares = await addSpares(context, { projectId, name, ...people });
  const desk = await addDesk(context, { projectId, name, ...people });
  const scenarioRows = await addScenarioRows(context, { name, projectId, ...chats });
  await addRetentionRows(context, projectId);
  const settled = await settle(context, { projectId, ...chats, ...endpoints });
  return {
    name,
    digit,
    projectId,
    botKey,
    shared,
    ...people,
    ...words,
    ...access,
    ...endpoints,
    ...channels,
    ...chats,
    ...written,
    ...promocodes,
    ...mailing,
    ...iframe,
    ...sessions,
    ...spares,
    ...settled,
    ...scenarioRows,
    ...desk,
  };
}

async function addPeople(context: Context, projectId: string, name: string) {
  const password = `password of ${name}`;
  const email = `owner@${name}.test`;
  const { id: operatorId } = await createUser(context, { projectId, email, role: 'admin', password });
  await context.sql`
    update operators set name = ${`hush-${name} operator`}, avatar = ${`https://${name}.test/hush-${name}.png`}
    where id = ${operatorId}`;
  const signInToken = (await createSignInLink(context, operatorId)).split('/').at(-2) ?? '';
  return { operatorId, email, password, signInToken };
}

async function addAccess(
  context: Context,
  {
    projectId,
    name,
    shared,
    operatorId,
  }: { projectId: string; name: string; shared: Shared; operatorId: string },
) {
  const own = await createApplication(context, { name, redirectUris: [redirectUri] });
  const tokens = await issueToken(context, { projectId, applicationId: own.clientId });
  // In a separate family: a refresh token that is reused much later revokes its family.
  const renewed = await issueToken(context, { projectId, applicationId: own.clientId });
  const common = await issueToken(context, { projectId, applicationId: shared.clientId });
  const code = await createCode(context, grantOf(projectId, own.clientId, operatorId));
  return {
    own,
    code,
    token: { authorization: `Bearer ${tokens.access_token}` },
    sharedToken: { authorization: `Bearer ${common.access_token}` },
    accessToken: tokens.access_token,
    refreshToken: renewed.refresh_token,
  };
}

export const codeVerifier = 'a verifier that is long enough to be one of PKCE';

export const grantOf = (projectId: string, applicationId: string, approvedBy: string) => ({
  projectId,
  applicationId,
  redirectUri,
  approvedBy,
  codeChallenge: challengeOf(codeVerifier),
});

async function addWords(context: Context, projectId: string, name: string) {
  await addTag(context, { projectId, name: `tag-${name}` });
  await addAttribute(context, { projectId, name: `attribute-${name}` });
  await addTag(context, { projectId, name: `spare-tag-${name}` });
  await addAttribute(context, { projectId, name: `spare-attribute-${name}` });
  const file = Buffer.from(
    JSON.stringify({
      name: `scenario-${name}`,
      steps: [{ id: 'hello', type: 'message', text: `hush-${name}` }],
    }),
  );
  const scenario = await importScenario(context, { projectId, file });
  const body = `hush-${name} {{order}}`;
  for (const pid of [`template-${name}`, `spare-template-${name}`]) {
    await addTemplate(context, { projectId, pid, body, language: 'en', approval: 'approved' });
  }
  return { scenarioId: scenario.id };
}

async function addEndpoints(
  context: Context,
  projectId: string,
  applications: string[],
  { webhookUrl }: Outside,
) {
  const { sql, vault, newId, clock } = context;
  const endpointIds = applications.map(() => newId());
  const secrets = firstSecrets();
  for (const [index, applicationId] of applications.entries()) {
    const id = endpointIds[index] ?? '';
    await sql`
      insert into endpoints (project_id, id, application_id, url, event_types, platforms, sealed_secrets, created_at)
      values (${projectId}, ${id}, ${applicationId}, ${webhookUrl}, '{}', '{}', ${sealSecrets(vault, id, secrets)},
        ${clock.now()})`;
  }
  const own = await setProjectWebhook(context, { projectId, url: webhookUrl, kinds: ['MAILING_STATE'] });
  return { endpointIds, webhookSecrets: [...secrets.map(({ secret }) => secret), own.secret] };
}

type Written = {
  name: string;
  chats: { chatId: string };
  botKey: string;
  token: Record<string, string>;
};

/**
 * The partners' writings in the project: a message and a note of the connector, and a push message in the far future.
 */
async function write(patchbay: Patchbay, { name, chats: { chatId }, botKey, token }: Written) {
  const event = (rest: object) => ({
    chat: { uuid: chatId, variables: { order: `hush-${name}` } },
    sender: { name: `hush-${name} sender`, uuid: randomUUID() },
    timestamp: 1_763_640_000_000,
    ...rest,
  });
  const text = `hush-${name} connector`;
  const said = await ask(patchbay, 'POST', '/api/partners/connector/', token, {
    ...event({ event: 'message_created' }),
    message: { type: 'text', text, external_id: `connector-${name}` },
  });
  await ask(patchbay, 'POST', '/api/partners/connector/', token, {
    ...event({ event: 'note_created' }),
    note: { text: `hush-${name} note` },
  });
  const idempotencyKey = `idempotency-key-of-${inAscii(name)}`;
  const scheduledBody = {
    chat: { uuid: chatId },
    content: { type: 'TEXT', text: `hush-${name} push` },
    campaign: { uuid: randomUUID(), name: `campaign-${name}` },
    tag: `push-${name}`,
    launch_at: '2099-01-01T00:00:00Z',
  };
  const scheduled = await ask(
    patchbay,
    'POST',
    '/api/partners/push-messages/',
    { 'bot-key': botKey, 'idempotency-key': idempotencyKey },
    scheduledBody,
  );
  await ask(patchbay, 'POST', '/api/partners/stream/', token, {
    type: 'regular_message',
    payload: {
      chat: { uuid: chatId },
      content: { type: 'TEXT', text: `hush-${name} stream` },
      launch_at: '2099-01-01T00:00:00Z',
    },
  });
  return {
    connectorMessageId: String(said.message_uuid),
    pushId: String(scheduled.uuid),
    idempotencyKey,
    scheduledBody,
  };
}

type Selling = { name: string; botKey: string; chatId: string };

/** A group with an issued code, and others of each to be deleted: by partners, and in the console. */
async function addPromocodes(patchbay: Patchbay, { name, botKey, chatId }: Selling) {
  const headers = { 'bot-key': botKey };
  const group = (of: string) =>
    ask(patchbay, 'POST', '/api/partners/promocode-groups/', headers, { name: `${of}-${name}` });
  const code = (of: string, body: object) =>
    ask(patchbay, 'POST', '/api/partners/promocodes/', headers, { code: `${of}-${name}`, ...body });
  const [main, spare] = [await group('group'), await group('spare-group')];
  const inConsole = await group('console-group');
  const issued = await code('code', { group: main.uuid, issued_chat: chatId });
  const free = await code('spare-code', { group: main.uuid });
  const another = await code('console-code', { group: main.uuid });
  return {
    groupId: String(main.uuid),
    spareGroupId: String(spare.uuid),
    promocodeId: String(issued.uuid),
    sparePromocodeId: String(free.uuid),
    consoleGroupId: String(inConsole.uuid),
    consolePromocodeId: String(another.uuid),
  };
}

type Settled = { projectId: string; chatId: string; clientMessageId: string; endpointIds: string[] };

/** Rows that only workers write. */
async function settle(
  { sql, newId, clock }: Context,
  { projectId, chatId, endpointIds }: Settled,
): Promise<{ eventId: string }> {
  const now = clock.now();
  const [event] = await sql<{ id: string }[]>`
    insert into attempts (project_id, id, endpoint_id, event_id, started_at, duration_ms, status, error)
    select project_id, ${newId()}, endpoint_id, id, ${now}, 5, 500, 'refused' from events
    where project_id = ${projectId} and endpoint_id = ${endpointIds[0] ?? ''} limit 1
    returning event_id as id`;
  await sql`
    insert into channel_cursors (project_id, channel_id, cursor, holder, held_until)
    select project_id, id, '5', ${newId()}, ${now} from channels where project_id = ${projectId} and platform = 'Telegram'`;
  await sql`
    insert into channel_tokens (project_id, channel_id, renew_at, ends_at)
    select project_id, id, ${now}, ${now} from channels where project_id = ${projectId} and platform = 'Telegram'`;
  await sql`
    insert into early_receipts (project_id, channel_id, provider_id, state, detail, received_at)
    select project_id, id, 'not sent yet', 'delivered', '', ${now} from channels
    where project_id = ${projectId} and platform = 'Telegram'`;
  await sql`
    insert into lasting_ids (project_id, channel_id, lasting_id, chat_id)
    select project_id, channel_id, 'a lasting id', id from chats where project_id = ${projectId} and id = ${chatId}`;
  await sql`
    insert into early_marks (project_id, channel_id, chat_external_id, state, up_to, received_at)
    select project_id, id, 'no chat', 'read', 41, ${now} from channels
    where project_id = ${projectId} and platform = 'Telegram'`;
  await sql`
    insert into client_files (project_id, id, channel_id, source, name, created_at)
    select project_id, ${newId()}, id, '{"reference": "a file"}', 'a file', ${now} from channels
    where project_id = ${projectId} and platform = 'Telegram'`;
  await sql`
    update messages set state = 'IN_PROCESS', lease = ${newId()}
    where project_id = ${projectId} and chat_id = ${chatId} and source = 'connector' and state = 'PENDING'`;
  await sql`
    update messages set state = 'SENT', sent_at = ${now}, provider_id = ${newId()}
    where project_id = ${projectId} and chat_id = ${chatId} and source = 'connector' and state = 'IN_PROCESS'`;
  return { eventId: event?.id ?? '' };
}
