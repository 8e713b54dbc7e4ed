import type { Correspondent, InboundEvent } from '../../contract/inbound.ts';
import type { Contact, Message } from './notification.ts';

/**
 * A chat that was opened by phone has the same address. Meta leaves the phone out for some clients with a username, and
 * tells the id always.
 */
export function correspondentOf(
  { from, from_user_id }: Message,
  contacts: readonly Contact[],
): Correspondent | null {
  const phone = phoneOf(from);
  const externalId = phone ?? from_user_id ?? from;
  if (!externalId) return null;
  const contact = contacts.find(({ wa_id, user_id }) => (from ? wa_id === from : user_id === from_user_id));
  const { name, username } = contact?.profile ?? {};
  const lastingId = from_user_id ?? contact?.user_id;
  return {
    externalId,
    ...(phone && { phone }),
    ...(phone && lastingId && { lastingId }),
    ...(name && { name }),
    ...(username && { username: username.replace(/^@/, '') }),
  };
}

const phoneOf = (digits = ''): string | null => (/^\d{5,15}$/.test(digits) ? `+${digits}` : null);

/** The client has another number, and with it another id. Without a shown number there are only the ids. */
export function movesIn({ system = {} }: Message, chat: Correspondent | null): InboundEvent[] {
  const { type, wa_id, user_id, previous_user_id } = system;
  if (type !== 'user_changed_number' && type !== 'user_changed_user_id') return [];
  const to = type === 'user_changed_number' ? phoneOf(wa_id) : null;
  return [
    [chat?.externalId, to],
    [previous_user_id, user_id],
  ].flatMap(([from, until]) => (from && until ? [{ kind: 'moved', from, to: until }] : []));
}
