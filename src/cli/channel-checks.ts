import { sentenceOf, soonAfter, warningsOfRow } from '../channels/connected/health.ts';
import { findUnwell, type Warning } from '../channels/connected/health-store.ts';
import type { Sql } from '../platform/database/database.ts';
import { type Check, ok, warning } from './checks.ts';

/** One check a channel that needs a person. */
export async function checkHealth(sql: Sql, now: Date): Promise<Check[]> {
  const unwell = (await findUnwell(sql, soonAfter(now))).flatMap((channel) => {
    const { name, platform, project, state, state_detail, paused_by } = channel;
    const title = `${platform} "${name}" of "${project}"`;
    const isStopped = state === 'paused' && paused_by === null;
    const stopped = isStopped
      ? [
          warning(
            'channel',
            `${title}: stopped: ${state_detail}`,
            'Correct its settings, then resume it in the console.',
          ),
        ]
      : [];
    const others = warningsOfRow(channel, now).map((found) =>
      warning('channel', `${title}: ${sentenceOf(found)}.`, remedyOf(found)),
    );
    return [...stopped, ...others];
  });
  return unwell.length > 0 ? unwell : [ok('channels', 'none needs attention')];
}

function remedyOf({ kind }: Warning): string {
  switch (kind) {
    case 'refused':
    case 'lapses':
      return 'Enter new credentials on the page of the channel.';
    case 'unregistered':
      return 'Press “Check connection” on the page of the channel, or enter its address at the provider again.';
    case 'trouble':
      return 'Check PUBLIC_URL, the TLS proxy and its certificate.';
    case 'stuck':
    case 'slow':
      return 'Check that a process with the role worker runs, and read its log.';
    case 'retrying':
    case 'failing':
      return 'The page of the channel lists the failures with their reasons.';
  }
}
