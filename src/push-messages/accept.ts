import type { Principal } from '../auth/principal.ts';
import { openChatByPhone } from '../chats/open.ts';
import { type NewMessage, queueMessages } from '../chats/queue.ts';
import { type RecipientChat, type RecipientRequest, resolveRecipients } from '../chats/recipients.ts';
import type { Context } from '../context.ts';
import { batched } from '../lib/batch.ts';
import { Invalid, messages, NotFound } from '../lib/problem.ts';
import { applyTagsAndAttrs } from '../profiles/apply.ts';
import { findScenarioByName } from '../scenarios/store.ts';
import { findTemplate } from '../templates/store.ts';
import { missingVariables } from '../templates/templates.ts';
import type { PushMessageRow } from './present.ts';
import {
  chatKey,
  checkRules,
  contentFields,
  dueMoment,
  fits,
  launchMoment,
  needsOf,
  opensOn,
  platformsFor,
  profileKey,
} from './rules.ts';
import type { PushMessageCreate } from './schema.ts';

/** How many requests that came together are answered by one statement. */
const together = 200;

/** Lanes of the queue. Source: specification, endpoint 6. */
export const lanes = { priority: 0, regular: 1 } as const;

export type AcceptPush = (
  principal: Principal,
  /** The uuid that the message will have. */
  id: string,
  body: PushMessageCreate,
) => Promise<PushMessageRow>;

/**
 * Makes the function that takes a push message in: rules, recipient, queue. Requests that come at the same time
 * share their statements. The message is durably queued when the promise resolves.
 * Throws `Invalid` (400) and `NotFound` (404). Source: specification, endpoint 7; open points, section 3.
 */
export function pushAcceptance(context: Context): AcceptPush {
  const { sql } = context;
  const resolve = batched((requests: RecipientRequest[]) => resolveRecipients(sql, requests), {
    max: together,
  });
  const queue = batched(
    async (rows: NewMessage[]) => {
      await queueMessages(sql, rows);
      context.wake.wake('sending');
      return rows;
    },
    { max: together },
  );

  async function findChat(projectId: string, body: PushMessageCreate): Promise<RecipientChat> {
    const { type } = body.content;
    const found = await resolve({
      projectId,
      chat: chatKey(body.chat),
      profile: profileKey(body.profile),
      platforms: platformsFor(type),
    });
    switch (found.kind) {
      case 'found':
        return found.chat;
      case 'profile_not_found':
        throw new NotFound('Profile not found.');
      case 'chat_not_found':
        throw new NotFound('Chat not found.');
      case 'no_chat': {
        const platform = opensOn(type);
        const opened =
          platform && found.phoneNumber
            ? await openChatByPhone(context, projectId, found.profileId, platform, found.phoneNumber)
            : null;
        if (!opened) throw new NotFound('Chat not found.');
        return opened;
      }
    }
  }

  return async (principal, id, body) => {
    const { projectId } = principal;
    checkRules(body);
    const chat = await findChat(projectId, body);
    await checkContent(context, projectId, body.content, chat.platform);
    if (body.profile?.tags || body.profile?.attrs) {
      const { tags = [], attrs = {} } = body.profile;
      await applyTagsAndAttrs(sql, projectId, chat.profileId, { tags, attrs }, context.clock.now());
    }

    const content = contentFields(body.content);
    const now = context.clock.now();
    const launchAt = launchMoment(body.launch_at);
    await queue({
      id,
      project_id: projectId,
      chat_id: chat.id,
      channel_id: chat.channelId,
      source: 'push',
      content_type: body.content.type,
      content,
      application_id: principal.applicationId,
      author_id: null,
      author_name: null,
      session_id: null,
      external_id: null,
      campaign_id: body.campaign?.uuid ?? null,
      campaign_name: body.campaign?.name ?? null,
      tag: body.tag || null,
      is_force: body.is_force ?? false,
      launch_at: launchAt,
      created_at: now,
      lane: lanes.priority,
      due_at: dueMoment(launchAt, now),
      state: 'PENDING',
    });
    return {
      id,
      chat_id: chat.id,
      platform: chat.platform,
      state: 'PENDING',
      state_detail: '',
      content_type: body.content.type,
      content,
      launch_at: launchAt,
      created_at: now,
      sent_at: null,
      delivered_at: null,
      read_at: null,
    };
  };
}

async function checkContent(
  context: Context,
  projectId: string,
  content: PushMessageCreate['content'],
  platform: string,
): Promise<void> {
  const { type, node, whatsapp_template: template } = content;
  if (!fits(type, platform)) {
    throw new Invalid({ content: { type: [`${type} cannot be sent to a chat in ${platform}.`] } });
  }
  if (node && !(await findScenarioByName(context.sql, projectId, node.name))) {
    throw new Invalid({ content: { node: { name: [`Object with name=${node.name} does not exist.`] } } });
  }
  if (template && needsOf(type) === 'template') {
    const found = await findTemplate(context.sql, projectId, template.pid);
    if (found?.approval !== 'approved') {
      throw new Invalid({
        content: { whatsapp_template: { pid: [`Object with pid=${template.pid} does not exist.`] } },
      });
    }
    const missing = missingVariables(found, content.whatsapp_template_variables ?? {});
    if (missing.length > 0) {
      const fields = Object.fromEntries(missing.map((name) => [name, [messages.required]]));
      throw new Invalid({ content: { whatsapp_template_variables: fields } });
    }
  }
}
