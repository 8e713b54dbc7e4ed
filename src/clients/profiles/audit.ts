import type { Context } from '../../platform/context.ts';
import type { Principal } from '../../platform/http/principal.ts';

/** The actor of a change, in the words of the audit. Source: docs/contract.md, section 7. */
export type Actor = {
  type: 'application' | 'bot_key' | 'channel' | 'operator' | 'mailing' | 'scenario' | 'system';
  name: string;
};

const actorTypes = { oauth: 'application', bot_key: 'bot_key', person: 'operator' } as const;

export const actorOf = ({ kind, name }: Principal): Actor => ({ type: actorTypes[kind], name });

/** The facts for the record of a change: its uuid, its actor and its time. */
export type Entry = { id: string; actor: Actor; now: Date };

export const entryBy = (actor: Actor, { newId, clock }: Pick<Context, 'newId' | 'clock'>): Entry => ({
  id: newId(),
  actor,
  now: clock.now(),
});
