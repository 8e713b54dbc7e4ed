import type { Member } from '../../../access/auth/member.ts';
import { checkMailing } from '../../../mailings/make.ts';
import { bodyLimit } from '../../../mailings/schema.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { findAudience, recipientsIn } from './audience.ts';
import { type ChannelRow, findChannelPaces } from './channels-store.ts';
import { DryRun, MailingDraft } from './draft-schema.ts';
import { secondsFor } from './prediction.ts';
import { warningsOf } from './warnings.ts';

const patienceMs = 5_000;

/** POST /console/api/mailings/dry-run/: the duration and the problems of a mailing. Creates nothing. */
export const dryRun = actionFor<Member>()({
  body: MailingDraft,
  bodyLimit,
  response: DryRun,
  handle: async ({ context, principal: { projectId }, body, request }) => {
    const draft = { ...body, name: body.name ?? '' };
    const checked = await checkMailing(context, projectId, draft);
    const found = await findAudience(context, projectId, body, {
      ms: patienceMs,
      enough: null,
      isLeft: () => request.raw.socket.destroyed,
    });
    const of = Map.groupBy(found.groups, ({ channel_id }) => channel_id);
    const now = context.clock.now();
    const rows = await findChannelPaces(context.sql, projectId, [...of.keys()], now);
    const { count, about } = found.size;
    const scale = about && count ? about / count : 1;
    const channels = rows.map((row) =>
      channelOf(row, Math.round(recipientsIn(of.get(row.id) ?? []) * scale), now),
    );
    const slowest = Math.max(0, ...channels.map(({ seconds }) => seconds ?? 0));
    return {
      audience: found.size,
      seconds: count === null || channels.some(({ seconds }) => seconds === null) ? null : slowest,
      channels,
      warnings: await warningsOf(context, projectId, { draft, checked, found, channels, scale }),
    };
  },
});

function channelOf(row: ChannelRow, messages: number, now: Date): DryRun['channels'][number] {
  const { name, platform, state, waiting } = row;
  const pauseSeconds = ((row.resume_at ?? now).getTime() - now.getTime()) / 1000;
  const pace = { rate: row.rate, ceiling: row.rate_ceiling, pauseSeconds };
  const seconds = state === 'paused' ? null : Math.ceil(secondsFor(waiting + messages, pace));
  return { name, platform, state, messages, waiting, per_second: pace.rate, seconds };
}
