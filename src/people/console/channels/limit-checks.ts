import type { Member } from '../../../access/auth/member.ts';
import type { Context } from '../../../platform/context.ts';
import { keepTo } from '../../../platform/limits/rates.ts';

const mostInMinute = 40;

/** A person who types causes a few calls to a provider, and not more. */
export const limitChecks = (context: Pick<Context, 'sql' | 'clock'>, { operatorId }: Member): Promise<void> =>
  keepTo(context, [{ subject: `checks by ${operatorId}`, most: mostInMinute, inMs: 60_000 }]);
