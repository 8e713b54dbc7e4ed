import { createApplication } from '../access/oauth/applications.ts';
import { createUser } from '../access/operators/create-user.ts';
import { createSignInLink } from '../access/operators/sign-in-link.ts';
import { createProject } from '../access/projects/projects.ts';
import { addChannel, type Channel } from '../channels/connected/channels.ts';
import { apiMessengerCapabilities } from '../channels/messengers/api-messenger/capabilities.ts';
import { widgetPlatform } from '../channels/messengers/widget/capabilities.ts';
import { type Actor, entryBy } from '../clients/profiles/audit.ts';
import { changeProfile } from '../clients/profiles/change-store.ts';
import { addAttribute, addTag } from '../clients/profiles/dictionary.ts';
import { chatOf } from '../messaging/chats/correspondent.ts';
import { receiveEvents } from '../messaging/chats/receive.ts';
import { queueMessages } from '../messaging/messages/queue-store.ts';
import { addressOfUser } from '../people/widget/rules.ts';
import type { Context } from '../platform/context.ts';
import { randomToken } from '../platform/secrets/secret.ts';
import { newWebhookSecret } from '../platform/secrets/signature.ts';
import { clients, demoUser, redirectUri, welcome } from './content.ts';
import { claimDemo, completeDemo } from './store.ts';

/** Shown once to the person who started the program. Of its secrets only hashes are stored. */
export type Demo = {
  ownerEmail: string;
  signInUrl: string;
  botKey: string;
  clientId: string;
  clientSecret: string;
};

const ownerEmail = 'owner@patchbay.example';
/** The actor in the audit of the demo's profiles. */
const demo: Actor = { type: 'system', name: 'Demo' };
/** Making the demo takes a second. A claim of this age was left behind by a crash. */
const claimMs = 30_000;
/** The keys were printed on a screen, and perhaps into a log. */
const keysMs = 24 * 3_600_000;

/**
 * Makes the demo project if an embedded database has no projects at all. It has an owner, an application, a bot key,
 * two channels and some clients. Null when no demo is needed, or when another process is making it.
 */
export async function createDemo(context: Context): Promise<Demo | null> {
  const { sql, clock, config } = context;
  const now = clock.now();
  if (config.databaseUrl !== null || !config.hasDemo) return null;
  if (!(await claimDemo(sql, now, new Date(now.getTime() + claimMs)))) return null;

  const { id: projectId, botKey } = await createProject(context, { name: 'Demo shop' });
  const owner = await createUser(context, {
    projectId,
    email: ownerEmail,
    role: 'admin',
    password: randomToken(),
  });
  const application = await createApplication(context, { name: 'Demo CRM', redirectUris: [redirectUri] });
  await defineWords(context, projectId);
  await addMessenger(context, projectId);
  const widget = await addWidget(context, projectId);
  await addClients(context, widget);
  await addVisitor(context, widget, now, application.clientId);
  return { ownerEmail, signInUrl: await createSignInLink(context, owner.userId), botKey, ...application };
}

async function defineWords(context: Context, projectId: string): Promise<void> {
  for (const name of new Set(clients.flatMap(({ tags }) => tags))) await addTag(context, { projectId, name });
  for (const name of new Set(clients.flatMap(({ attrs }) => Object.keys(attrs)))) {
    await addAttribute(context, { projectId, name });
  }
}

/** No messenger exists yet. Its address leads nowhere (RFC 2606), so the demo calls no one. */
const addMessenger = (context: Context, projectId: string): Promise<Channel> =>
  addChannel(context, {
    projectId,
    platform: apiMessengerCapabilities.platform,
    name: 'Your own messenger',
    settings: { webhook_url: 'https://messenger.invalid/webhook', secret: newWebhookSecret() },
  });

const addWidget = (context: Context, projectId: string): Promise<Channel> =>
  addChannel(context, {
    projectId,
    platform: widgetPlatform,
    name: 'Demo page',
    settings: { identity_secret: randomToken() },
  });

/** Users of the demo's page, so that messages to them arrive. */
async function addClients(context: Context, channel: Channel): Promise<void> {
  for (const { externalId, name, phone, text, tags, attrs } of clients) {
    const [received] = await receiveEvents(context, channel, [
      {
        kind: 'message',
        chat: { externalId: addressOfUser(externalId), name, phone },
        message: { externalId: `hello-${externalId}`, type: 'text', text, url: null, payload: null },
      },
    ]);
    if (!received) throw new Error('a client of the demo could not write');
    const change = { fields: { external_id: externalId }, tags: { add: tags }, attrs };
    await changeProfile(context.sql, channel.projectId, received.profileUuid, change, entryBy(demo, context));
  }
}

/** The client in whose role a visitor of the demo page writes. The chat exists before they write anything. */
async function addVisitor(
  context: Context,
  channel: Channel,
  now: Date,
  applicationId: string,
): Promise<void> {
  const who = { externalId: addressOfUser(demoUser), name: 'You' };
  const chat = await chatOf(context, channel, who, demo);
  const change = { fields: { external_id: demoUser } };
  await changeProfile(context.sql, chat.project_id, chat.profile_id, change, entryBy(demo, context));
  await queueMessages(context.sql, [
    {
      id: context.newId(),
      project_id: chat.project_id,
      chat_id: chat.id,
      channel_id: channel.id,
      source: 'operator',
      content_type: 'text',
      content: { text: welcome },
      author_name: 'Patchbay',
      is_force: false,
      created_at: now,
      lane: 0,
      due_at: now,
      state: 'PENDING',
    },
  ]);
  const demoChat = { project_id: chat.project_id, channel_id: channel.id, chat_id: chat.id };
  await completeDemo(context.sql, demoChat, { applicationId, endAt: new Date(now.getTime() + keysMs) });
  context.wake.wake('sending');
}
