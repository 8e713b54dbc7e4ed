import { setTimeout as pause } from 'node:timers/promises';
import { forgetLinks } from './access/iframe/store.ts';
import { forgetExpiredTokens } from './access/oauth/store.ts';
import { forgetOldSignIns } from './access/operators/forget-sign-ins.ts';
import { endDemoKeys } from './demo/end-keys.ts';
import { forgetKept } from './events/forget-store.ts';
import { forgetUnusedAttachments } from './messaging/attachments/forget-unused.ts';
import { forgetNews } from './people/chat-center/feed-store.ts';
import type { Context } from './platform/context.ts';
import { ensurePartitions } from './platform/database/partitions.ts';
import { forgetKeys } from './platform/http/idempotency-store.ts';
import { forgetRates } from './platform/limits/rates-store.ts';

const hourMs = 3_600_000;
const restMs = 600_000;
const monthsAhead = 3;
const keysLiveMs = 24 * hourMs;

/** What must be done now and then, by any worker, and does no harm when several do it at once. */
export function startHousekeeping(context: Context): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const ended = keepHouse(context, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

async function keepHouse(context: Context, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      await tidy(context);
    } catch (error) {
      context.log.warn({ err: error }, 'housekeeping failed; it is tried again in ten minutes');
    }
    await pause(restMs, undefined, { signal: stopping, ref: false }).catch(() => {});
  }
}

/** One round of it. */
export async function tidy(context: Context): Promise<void> {
  const { sql, clock } = context;
  const now = clock.now();
  await ensurePartitions(sql, now, monthsAhead);
  await forgetKeys(sql, new Date(now.getTime() - keysLiveMs));
  await forgetExpiredTokens(sql, now);
  await forgetLinks(sql, now);
  await forgetOldSignIns(sql, now);
  await forgetNews(sql);
  await forgetKept(sql, now);
  await forgetRates(sql, now);
  await endDemoKeys(context);
  await forgetUnusedAttachments(context);
}
