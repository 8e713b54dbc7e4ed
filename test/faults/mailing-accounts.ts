import assert from 'node:assert/strict';
import type { Sql } from '../../src/platform/database/database.ts';
import type { Answer } from '../harness.ts';
import type { Delivery } from '../stand-ins/messenger.ts';

export type MailingMessage = {
  id: string;
  run: number;
  state: string;
  profile: string;
  chat: string;
  promocodes: Record<string, string> | null;
};

export const messagesOf = (sql: Sql, mailing: string): Promise<MailingMessage[]> => sql<MailingMessage[]>`
  select messages.id, mailing_run as run, state, chats.profile_id as profile, chat_id as chat,
    content -> 'promocodes' as promocodes
  from messages join chats on chats.project_id = messages.project_id and chats.id = chat_id
  where mailing_id = ${mailing} order by messages.id`;

/** Checks the API's statistics of a mailing against its messages. */
export function checkStatistics({ statistics }: Answer['body'], messages: readonly MailingMessage[]): void {
  const count = (...states: string[]) => messages.filter(({ state }) => states.includes(state)).length;
  assert.deepEqual(
    [statistics.count_planned, statistics.count_sent, statistics.count_undelivered],
    [messages.length, count('SENT', 'DELIVERED', 'READ'), count('UNDELIVERED', 'ERROR')],
  );
}

/** The calls that the provider got, by message. */
export const heardBy = (deliveries: readonly Delivery[]): Map<string, Delivery[]> =>
  Map.groupBy(deliveries, ({ body }): string => body.payload.message.uuid);

/**
 * Checks that the provider got every message, always in the same form. A repeat needs an interrupted claim of the
 * message. Returns the number of repeats.
 */
export function checkHeard(
  messages: readonly { id: string }[],
  heard: ReadonlyMap<string, Delivery[]>,
  cutShort: (id: string) => number,
): number {
  let repeats = 0;
  for (const { id } of messages) {
    const calls = heard.get(id) ?? [];
    assert.ok(calls.length >= 1, `${id} was lost`);
    assert.ok(calls.length <= 1 + cutShort(id), `${id} was repeated, and was not under way`);
    assert.deepEqual(new Set(calls.map(({ headers }) => headers['idempotency-key'])), new Set([id]));
    assert.equal(new Set(calls.map(({ body }) => JSON.stringify(body.payload))).size, 1, `${id} was changed`);
    repeats += calls.length - 1;
  }
  return repeats;
}

/** Checks that the project's webhook got one sent event for each message. */
export function checkEvents(
  mailing: string,
  messages: readonly MailingMessage[],
  events: readonly Delivery[],
): void {
  const ofMailing = Map.groupBy(
    events.filter(({ body }) => body.payload.mailing?.uuid === mailing),
    ({ headers }) => headers['webhook-id'],
  );
  const told = [...ofMailing.values()].map(([first]) => [
    first?.body.payload.chat.uuid,
    first?.body.payload.message.state,
  ]);
  assert.deepEqual(told.sort(), messages.map(({ chat }) => [chat, 'sent']).sort());
}

/** Checks that each message has its own code and was sent with it, and that no code is lost. */
export async function checkCodes(
  sql: Sql,
  group: string,
  messages: readonly MailingMessage[],
  heard: ReadonlyMap<string, Delivery[]>,
): Promise<void> {
  const codes = await sql<{ code: string; status: string; reserved_for: string | null }[]>`
    select code, status, reserved_for from promocodes
    join promocode_groups on promocode_groups.project_id = promocodes.project_id and promocode_groups.id = group_id
    where name = ${group}`;
  const issued = codes.filter(({ status }) => status === 'ISSUED');
  assert.deepEqual(
    issued.map(({ code, reserved_for }) => [reserved_for, code]).sort(),
    messages.map(({ id, promocodes }) => [id, promocodes?.[group]]).sort(),
  );
  for (const { id, promocodes } of messages) {
    const code = promocodes?.[group] ?? assert.fail(`${id} has no code`);
    for (const { body } of heard.get(id) ?? []) assert.ok(body.payload.message.text.startsWith(`${code} `));
  }
}
