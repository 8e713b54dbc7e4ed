import type { Member } from '../../../access/auth/member.ts';
import { type Standing, standingOf } from '../../../clients/consent/standing-store.ts';
import { whole } from '../../../clients/profiles/load.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { outcomeOfMessage, outcomeWithout } from './outcome.ts';
import { chatsOf, type MessageRow, messagesSince, type RunRow, runsSince } from './outcomes-store.ts';
import { type Outcome, Outcomes } from './schema.ts';

const lastMs = 30 * 86_400_000;
/** Of mailings, and of each chat's messages. */
const most = 100;

/**
 * GET /console/api/profiles/{uuid}/outcomes/: what became of each mailing and push message of the last 30 days for a
 * client, newest first.
 */
export const readOutcomes = actionFor<Member>()({
  params: UuidParams,
  response: Outcomes,
  load: whole.byUuid,
  handle: async ({ context: { sql, clock }, principal: { projectId }, loaded }) => {
    const now = clock.now();
    const last = { since: new Date(now.getTime() - lastMs), now, most };
    const names = [loaded.id, loaded.external_id, loaded.phone_number].filter((name) => name !== null);
    const chats = await chatsOf(sql, projectId, loaded.id);
    const standing = await standingOf(sql, { projectId, profileId: loaded.id });
    const [messages, runs] = await Promise.all([
      messagesSince(sql, { projectId, profileId: loaded.id }, last),
      runsSince(sql, projectId, { ...last, names: [...names, ...chats.map(({ id }) => id)] }),
    ]);
    const results = [
      ...runs.map(
        (run) =>
          ofRun(run, messages, standing, now) ?? {
            ...shownOf(run),
            ...outcomeWithout(run, loaded, chats, standing),
          },
      ),
      ...messages
        .filter(({ mailing_id }) => mailing_id === null)
        .map((message) => ofPush(message, standing, now)),
    ];
    return { results: results.sort((one, other) => (one.at < other.at ? 1 : -1)) };
  },
});

const shownOf = ({ id, name, started_at }: RunRow) => ({
  kind: 'mailing' as const,
  uuid: id,
  title: name,
  at: started_at.toISOString(),
});

/** Null if the run has no message for the client. Of several after a merge the one that was sent counts. */
function ofRun(run: RunRow, messages: readonly MessageRow[], standing: Standing, now: Date): Outcome | null {
  const theirs = messages.filter(
    ({ mailing_id, created_at }) => mailing_id === run.id && created_at >= run.started_at,
  );
  const message = theirs.find(({ sent_at }) => sent_at !== null) ?? theirs[0];
  return message
    ? { ...shownOf(run), ...outcomeOfMessage(message, run, standing, now), variant: message.variant }
    : null;
}

const noRun = { waits: [], topic_id: null, topic: null };

const ofPush = (message: MessageRow, standing: Standing, now: Date): Outcome => ({
  kind: 'push',
  uuid: message.id,
  title: message.title ?? '',
  at: message.created_at.toISOString(),
  ...outcomeOfMessage(message, noRun, standing, now),
});
