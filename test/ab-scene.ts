import { countsByVariant } from '../src/mailings/ab-test/counts-store.ts';
import type { AbTest, Sample } from '../src/mailings/ab-test/schema.ts';
import type { Context } from '../src/platform/context.ts';
import type { ManualClock } from './clock.ts';
import { textVariant } from './mailing.ts';
import { everybody, planAll, seedClients, seedMailing, sendSome } from './planning-scene.ts';

export const minute = 60_000;
export const sample: Sample = { percent: 40, measure: 'read', wait_minutes: 60, otherwise: 'first' };

export type Message = { profile_id: string; variant: number | null; state: string };

export const ofVariant = (messages: readonly Message[], wanted: number | null) =>
  messages.filter((message) => message.variant === wanted).length;

/** Mailings with A/B tests in a planner's scene. */
export function abScene({ context, clock }: { context: Context; clock: ManualClock }) {
  const { sql } = context;
  const variant = (share: number, text = 'Other') => textVariant(share, text);
  const halves = (of: Sample | null = null): AbTest => ({ variants: [variant(50)], sample: of });

  const messagesOf = async (id: string): Promise<Message[]> => [
    ...(await sql<Message[]>`
    select profile_id, variant, messages.state from messages
    join chats on chats.project_id = messages.project_id and chats.id = chat_id
    where mailing_id = ${id} order by profile_id`),
  ];
  const plannedBy = async (project: string, id: string, count = 2): Promise<number[]> =>
    (await countsByVariant(sql, project, id, count)).map(({ planned }) => planned);

  /** Some of a variant's recipients read it. */
  const readSome = (project: string, id: string, of: number, count: number) =>
    sql`select add_to_mailing_counts(${project}, ${id}, ${of}::smallint, array[0, 0, 0, ${count}::integer, 0, 0, 0, 0, 0])`;

  /** A mailing whose sample is sent and waits. */
  async function sampled(clients: number, of: Sample = sample) {
    const { project, profiles } = await seedClients(sql, clients);
    const id = await seedMailing(context, project, { filter_chats: everybody, ab_test: halves(of) });
    await planAll(context);
    await sendSome(context, id);
    clock.advance(1_000);
    await planAll(context);
    return { project, profiles, id };
  }

  /** The rest is planned, sent, and the run over. */
  async function finish(id: string): Promise<void> {
    await planAll(context);
    await sendSome(context, id);
    clock.advance(1_000);
    await planAll(context);
  }

  return { halves, variant, messagesOf, plannedBy, readSome, sampled, finish };
}
