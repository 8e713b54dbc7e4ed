import type { Member } from '../../../access/auth/member.ts';
import { type Standing, standingOf } from '../../../clients/consent/standing-store.ts';
import { findTopic, listTopics } from '../../../clients/consent/topics-store.ts';
import { byUuid } from '../../../clients/profiles/load.ts';
import { comeBack, leave } from '../../../messaging/chats/consent.ts';
import type { Context } from '../../../platform/context.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { invalid, messages, Refused } from '../../../platform/problem.ts';
import { latestChatOf } from './client-store.ts';
import { ClientConsent, ConsentChange } from './schema.ts';

const define = actionFor<Member>();

/** GET /console/api/profiles/{uuid}/consent/ */
export const readConsent = define({
  params: UuidParams,
  response: ClientConsent,
  load: byUuid,
  handle: ({ context, principal: { projectId }, loaded }) => consentOf(context, projectId, loaded.id),
});

/** POST /console/api/profiles/{uuid}/consent/: a client who asked the team leaves, or comes back. */
export const changeConsent = define({
  params: UuidParams,
  body: ConsentChange,
  response: ClientConsent,
  load: byUuid,
  handle: async ({ context, principal: { projectId, operatorId }, body, loaded }) => {
    const { sql, clock, log } = context;
    const topicId = body.topic ?? null;
    if (topicId !== null && !(await findTopic(sql, projectId, topicId))) {
      throw invalid('topic', messages.missingObject(topicId));
    }
    const chatId = await latestChatOf(sql, projectId, loaded.id);
    if (chatId === undefined) throw new Refused('The client has no chat, and gets no mailing.');
    const chat = { projectId, chatId };
    if (body.subscribed) await comeBack(sql, chat, topicId);
    else await leave(sql, chat, { topicId, way: 'operator', now: clock.now() });
    log.info({ projectId, by: operatorId, profile: loaded.id, ...body }, 'a consent was changed');
    return consentOf(context, projectId, loaded.id);
  },
});

async function consentOf(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  profileId: string,
): Promise<ClientConsent> {
  const [topics, standing] = await Promise.all([
    listTopics(sql, projectId),
    standingOf(sql, { projectId, profileId }),
  ]);
  return {
    everything: standing.everything,
    topics: topics.map(({ id, name }) => ({ uuid: id, name, left: leftOf(standing, id) })),
    listed: standing.listed,
  };
}

function leftOf({ topics }: Standing, topicId: string): ClientConsent['everything'] {
  const left = topics.find(({ id }) => id === topicId);
  return left ? { at: left.at, by: left.by } : null;
}
