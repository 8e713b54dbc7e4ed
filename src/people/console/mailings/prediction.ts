/** The known pace of a channel, in messages per second. */
export type Pace = {
  /** Null if the provider has shown no limit. */
  rate: number | null;
  /** The provider's documented limit. Null if there is none. */
  ceiling: number | null;
  /** Seconds until it sends again, if the provider has asked for a pause. */
  pauseSeconds: number;
};

/** Without a provider's limit its response time is the limit: a cautious guess. */
const withoutLimit = 500;
/** The growth rate per second of a slowed channel. See the claim of sending. */
const recovery = Math.log(1.02);
/** Above this a channel without a documented limit is unlimited again. */
const highestLearnt = 2_000;

/** Seconds until a channel has sent this many messages. */
export function secondsFor(messages: number, { rate, ceiling, pauseSeconds }: Pace): number {
  return Math.max(0, pauseSeconds) + (messages > 0 ? sendingSeconds(messages, rate, ceiling) : 0);
}

function sendingSeconds(messages: number, rate: number | null, ceiling: number | null): number {
  if (rate === null) return messages / withoutLimit;
  const top = Math.max(rate, ceiling ?? highestLearnt);
  const untilTop = (top - rate) / recovery;
  if (messages <= untilTop) return Math.log(1 + (messages * recovery) / rate) / recovery;
  return Math.log(top / rate) / recovery + (messages - untilTop) / top;
}

/** Whether it is between ten in the evening and eight in the morning there. Never in unknown zones. */
export function isNight(timezone: string, moment: Date): boolean {
  try {
    const hour = Number(
      new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: timezone }).format(moment),
    );
    return hour >= 22 || hour < 8;
  } catch {
    return false;
  }
}
