import { createHmac } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import type { Attempt } from './attempts.ts';

type Outcome = { is: 'signed in'; userId: string } | { is: 'refused' } | { is: 'paused'; pauseMs: number };

/** Who tried, for whoever looks into the log after an attack: the same account and the same place by the same hash. */
export function tellSignIn(
  { config: { secretKey }, log }: Pick<Context, 'config' | 'log'>,
  { account, address }: Attempt,
  { is, ...more }: Outcome,
): void {
  const hash = (text: string): string =>
    createHmac('sha256', secretKey).update(`log ${text}`).digest('hex').slice(0, 16);
  const told = { account: account === null ? null : hash(account), address: hash(address), ...more };
  if (is === 'signed in') log.info(told, 'somebody signed in');
  else log.warn(told, is === 'refused' ? 'a sign-in was refused' : 'a sign-in was paused');
}
