import { createHmac } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import type { Attempt } from './attempts.ts';

type Outcome = { is: 'signed in'; userId: string } | { is: 'refused' } | { is: 'paused'; pauseMs: number };

/** Logs an attempt for the investigation of an attack. The same account and the same address get the same hash. */
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
