import { outboxRow } from '../../events/outbox.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { resumeRun } from '../../scenarios/runs-store.ts';
import { presentSessionUpdated } from './present.ts';
import {
  closeSession,
  findOpenSession,
  handSession,
  insertSession,
  type NewSession,
  type OpenSession,
  type StepAuthor,
} from './sessions-store.ts';
import type { ChatRow } from './store.ts';

export type Opening = {
  /** The first holder, who has also opened it unless `author` names another. */
  operator?: { uuid: string | null; name: string };
  author?: StepAuthor;
  title?: string;
  team?: string;
};

type Needs = Pick<Context, 'newId' | 'wake'> & { sql: Sql };

/**
 * The chat's open session. If there is none, opens one with the chat's variables as its context, and announces
 * `session_updated`. Of several concurrent callers, one opens it.
 */
export async function openSession(
  context: Needs,
  chat: ChatRow,
  opening: Opening,
  now: Date,
): Promise<OpenSession> {
  const { sql, newId, wake } = context;
  const open = await findOpenSession(sql, chat.project_id, chat.id);
  if (open) return open;

  const session = newSession(chat, opening, newId(), now);
  const author = opening.author ?? opening.operator ?? null;
  // Another process may be faster. If that session is closed again by now, the next round opens another.
  if (!(await insertSession(sql, session, author, sessionUpdated(context, chat, session, now)))) {
    return openSession(context, chat, opening, now);
  }
  wake.wake('webhooks');
  wake.wake('live');
  return session;
}

/**
 * Gives the chat's session to an operator, and opens one if none is open. Announces `session_updated` when the holder
 * changes. Returns the session as it is then: with its other holder, if it may not be taken.
 */
export async function giveSession(
  context: Needs,
  chat: ChatRow,
  giving: { to: { uuid: string; name: string }; author: StepAuthor; fromAnyone: boolean },
  now: Date,
): Promise<OpenSession> {
  const { sql, newId, wake } = context;
  const { to, author } = giving;
  const session = await openSession(context, chat, { operator: to, author }, now);
  if (session.operator_id === to.uuid) return session;
  const kind = to.uuid === author.uuid ? ('taken' as const) : ('passed' as const);
  const step = { id: newId(), kind };
  const handing = { ...giving, projectId: chat.project_id, sessionId: session.id, step, now };
  const given = { ...session, operator_id: to.uuid, operator_name: to.name };
  if (await handSession(sql, handing, sessionUpdated(context, chat, given, now))) {
    wake.wake('webhooks');
    wake.wake('live');
    return given;
  }
  return (await findOpenSession(sql, chat.project_id, chat.id)) ?? giveSession(context, chat, giving, now);
}

/** Closes the chat's session, and gives the chat back to its scenario. Closing none is no error. */
export async function endSession(
  { sql, clock, newId, wake }: Pick<Context, 'sql' | 'clock' | 'newId' | 'wake'>,
  chat: { project_id: string; id: string },
  reason: { category: string | null; theme: string | null },
  author: StepAuthor,
): Promise<void> {
  const now = clock.now();
  const place = { projectId: chat.project_id, chatId: chat.id };
  if (!(await closeSession(sql, { ...place, stepId: newId() }, reason, author, now))) return;
  await resumeRun(sql, place, now);
  wake.wake('live');
  wake.wake('running');
}

const sessionUpdated = ({ newId }: Needs, chat: ChatRow, session: OpenSession, now: Date) =>
  outboxRow(
    {
      type: 'session_updated' as const,
      projectId: chat.project_id,
      chatId: chat.id,
      platform: chat.platform,
      payload: presentSessionUpdated(chat, session),
    },
    newId(),
    now,
    {},
  );

const newSession = (
  chat: ChatRow,
  { operator, title = '', team }: Opening,
  id: string,
  now: Date,
): NewSession => ({
  project_id: chat.project_id,
  id,
  chat_id: chat.id,
  operator_id: operator?.uuid ?? null,
  operator_name: operator?.name ?? null,
  title,
  team: team ?? null,
  context: chat.variables,
  opened_at: now,
});
