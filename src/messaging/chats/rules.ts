import type { Receipt } from '../../channels/contract/capabilities.ts';

/** Source: docs/contract.md, section 3. */
export const messageStates = [
  'PENDING',
  'IN_PROCESS',
  'SENT',
  'DELIVERED',
  'READ',
  'UNDELIVERED',
  'CANCELLED',
  'ERROR',
] as const;

export type MessageState = (typeof messageStates)[number];

export type ReceivedState = 'SENT' | 'DELIVERED' | 'READ' | 'UNDELIVERED';

/** The states from which a receipt may move a message to another. */
export const receiptMoves: Record<ReceivedState, readonly MessageState[]> = {
  SENT: ['IN_PROCESS'],
  DELIVERED: ['SENT'],
  READ: ['SENT', 'DELIVERED'],
  UNDELIVERED: ['IN_PROCESS', 'SENT', 'DELIVERED'],
};

const receiptStates: Record<Receipt, ReceivedState> = {
  sent: 'SENT',
  delivered: 'DELIVERED',
  read: 'READ',
  undelivered: 'UNDELIVERED',
};

/**
 * The states that a receipt moves a message through. None for a late or repeated receipt. A receipt that precedes the
 * recorded result proves that the message was sent.
 */
export function movesOn(receipt: Receipt, from: MessageState): ReceivedState[] {
  const to = receiptStates[receipt];
  if (receiptMoves[to].includes(from)) return [to];
  return from === 'IN_PROCESS' ? ['SENT', to] : [];
}
