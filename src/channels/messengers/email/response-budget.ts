import type { Logger } from 'imapflow';

/** So many may come at once: somebody may mark hundreds of mails. */
const most = 1_000;
const perSecond = 20;
/** The answer to a command has a few responses. */
const perCommand = 10;
/** More than a mailbox with short mails needs. A server that answers at once makes us send the next command at once. */
const earnedPerSecond = 1_000;

type Line = { src?: string };

/**
 * Counts the responses of a mail server. imapflow reads all that have arrived before anybody else has a turn, and each
 * takes a tenth of a millisecond. A server that sends them without end would keep the whole process busy.
 */
export function createResponseBudget(
  spent: () => void,
  now = () => performance.now(),
): { log: Logger; throwIfSpent: () => void } {
  let left = most;
  let earnable = earnedPerSecond;
  let countedAt = now();
  let isSpent = false;
  const note = ({ src }: Line): void => {
    const elapsed = (now() - countedAt) / 1000;
    countedAt += elapsed * 1000;
    earnable = Math.min(earnedPerSecond, earnable + elapsed * earnedPerSecond);
    const earned = src === 'c' ? Math.min(perCommand, earnable) : 0;
    earnable -= earned;
    left = Math.min(most, left + elapsed * perSecond + earned);
    if (src !== 's' || isSpent) return;
    left -= 1;
    if (left >= 0) return;
    isSpent = true;
    spent();
  };
  return {
    // imapflow tells only its log of each response.
    log: { trace: note, debug: note, info: note, warn: note, error: note },
    throwIfSpent: () => {
      if (isSpent) throw new Error('The mail server sends too many responses.');
    },
  };
}
