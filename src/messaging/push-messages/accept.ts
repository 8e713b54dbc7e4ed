import { applyTagsAndAttrs } from '../../clients/profiles/apply.ts';
import { actorOf, entryBy } from '../../clients/profiles/audit.ts';
import { recordEvents } from '../../events/outbox.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { NotFound } from '../../platform/problem.ts';
import { batched } from '../../platform/pump/batch.ts';
import type { Turns } from '../../platform/pump/turns.ts';
import { currentTrace } from '../../platform/work.ts';
import { type RecipientChat, type RecipientRequest, resolveRecipients } from '../chats/recipients.ts';
import { findChat } from '../chats/store.ts';
import { strayStatus } from '../chats/stream-events.ts';
import { type NewMessage, queueMessages } from '../messages/queue-store.ts';
import { checkContent } from './check-content.ts';
import type { PushMessageRow } from './present.ts';
import { openReach, platformOf, type Reached, reachOf } from './reach.ts';
import {
  chatKey,
  checkRules,
  contentFields,
  dueMoment,
  launchMoment,
  platformsFor,
  profileKey,
  startsScenario,
} from './rules.ts';
import type { PushMessageCreate } from './schema.ts';

/** The most concurrent requests that one statement answers. */
const together = 200;

/** Lanes of the queue. Source: docs/contract.md, section 4. */
export const lanes = { priority: 0, regular: 1 } as const;

/** The differences between the entry points. */
export type Way = {
  source: 'push' | 'stream';
  lane: NewMessage['lane'];
  /** Called after all checks and before any change. Returns the time of acceptance, or throws. */
  admit: (projectId: string) => Promise<Date>;
  /** A message without a reachable recipient is stored as undelivered instead of refused. */
  keepsUnreachable: boolean;
};

export type AcceptPush = (
  principal: Principal,
  /** The uuid of the message. */
  id: string,
  body: PushMessageCreate,
  /** The entry point of push messages by default. */
  way?: Way,
) => Promise<PushMessageRow>;

/**
 * Makes the function that accepts a push message: rules, recipient, queue. Concurrent requests share their
 * statements. The message is durably queued when the promise resolves. Throws `Invalid` (400) and `NotFound` (404).
 * Source: docs/contract.md, section 3.
 */
export function pushAcceptance(context: Context, turns: Turns): AcceptPush {
  const { sql, clock } = context;
  const resolve = batched((requests: RecipientRequest[]) => resolveRecipients(sql, requests), {
    max: together,
    turns,
    failsAll: isDatabaseUnavailable,
  });
  const queue = queueing(context, turns);
  const ownWay: Way = {
    source: 'push',
    lane: lanes.priority,
    admit: async () => clock.now(),
    keepsUnreachable: false,
  };

  return async (principal, id, body, way = ownWay) => {
    const { projectId } = principal;
    const { content, profile } = body;
    checkRules(body);
    const recipient = await resolve({
      projectId,
      chat: chatKey(body.chat),
      profile: profileKey(profile),
      platforms: platformsFor(content.type),
    });
    const reach = reachOf(recipient, content.type);
    const rendered = await checkContent(context, projectId, content, platformOf(reach));
    const now = await way.admit(projectId);

    const reached = await openReach(context, projectId, reach, actorOf(principal));
    const row = { ...rowOf(principal, id, body, reached, way, now), rendered };
    if (reached.kind === 'nobody') {
      if (!way.keepsUnreachable) throw new NotFound(reached.detail);
      await keepUnreachable(context, row, reached.profileId);
      return presentable(row, null);
    }
    if (profile?.tags || profile?.attrs) await applyTo(context, principal, reached.chat, profile);
    await queue(row);
    return presentable(row, reached.chat.platform);
  };
}

/** Changes the client's profile. If a merge has replaced it meanwhile, the chat has the new one. */
async function applyTo(
  context: Context,
  principal: Principal,
  { id, profileId }: Pick<RecipientChat, 'id' | 'profileId'>,
  { tags = [], attrs = {} }: Pick<NonNullable<PushMessageCreate['profile']>, 'tags' | 'attrs'>,
): Promise<void> {
  const { sql } = context;
  const { projectId } = principal;
  const entry = entryBy(actorOf(principal), context);
  if (await applyTagsAndAttrs(sql, projectId, profileId, { tags, attrs }, entry)) return;
  const chat = await findChat(sql, projectId, id);
  if (!chat || chat.profile_id === profileId) return;
  await applyTo(context, principal, { id, profileId: chat.profile_id }, { tags, attrs });
}

/** Queues messages, and wakes their workers. */
function queueing({ sql, wake }: Context, turns: Turns): (row: NewMessage) => Promise<NewMessage> {
  return batched(
    async (rows: NewMessage[]) => {
      await queueMessages(sql, rows);
      wake.wake('sending');
      if (rows.some(({ channel_id, state }) => state === 'PENDING' && channel_id === null)) {
        wake.wake('running');
      }
      return rows;
    },
    { max: together, turns, failsAll: isDatabaseUnavailable },
  );
}

async function keepUnreachable(
  { sql, newId, wake }: Context,
  row: NewMessage,
  profileId: string | null,
): Promise<void> {
  const status = strayStatus(row, profileId, row.state);
  await sql.begin(async (transaction) => {
    await queueMessages(transaction, [row]);
    await recordEvents(transaction, [status], row.created_at, newId);
  });
  wake.wake('webhooks');
}

type NewPush = NewMessage & Pick<PushMessageRow, 'source' | 'content_type' | 'content' | 'launch_at'>;

function rowOf(
  { projectId, applicationId }: Principal,
  id: string,
  { content, campaign, tag, is_force, launch_at }: PushMessageCreate,
  reached: Reached,
  { source, lane }: Way,
  now: Date,
): NewPush {
  const launchAt = launchMoment(launch_at);
  return {
    id,
    project_id: projectId,
    source,
    content_type: content.type,
    content: contentFields(content),
    application_id: applicationId,
    campaign_id: campaign?.uuid ?? null,
    campaign_name: campaign?.name ?? null,
    tag: tag || null,
    is_force: is_force ?? false,
    launch_at: launchAt,
    created_at: now,
    lane,
    due_at: dueMoment(launchAt, now),
    trace: currentTrace(),
    ...(reached.kind === 'chat'
      ? {
          chat_id: reached.chat.id,
          // The first message of the scenario replaces the starting message, and then gets the channel.
          channel_id: startsScenario(content.type) ? null : reached.chat.channelId,
          state: 'PENDING',
        }
      : { chat_id: null, channel_id: null, state: 'UNDELIVERED', state_detail: reached.detail }),
  };
}

const presentable = (row: NewPush, platform: string | null): PushMessageRow => ({
  ...row,
  platform,
  state_detail: row.state_detail ?? '',
  sent_at: null,
  delivered_at: null,
  read_at: null,
});
