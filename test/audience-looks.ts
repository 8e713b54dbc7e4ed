import { lookAtAudiences } from '../src/mailings/audience-days.ts';
import { dueLooks } from '../src/mailings/audience-days-store.ts';
import type { Context } from '../src/platform/context.ts';

/** Looks at every audience that is due. One run of the job ends after five seconds, whatever is left. */
export async function lookAtAll(context: Pick<Context, 'sql' | 'clock' | 'wake'>): Promise<void> {
  const { sql, clock } = context;
  do await lookAtAudiences(context);
  while ((await dueLooks(sql, clock.now().toISOString().slice(0, 10), 1)).length > 0);
}
