import { setTimeout as pause } from 'node:timers/promises';
import { forgetExpiredTokens } from './access/oauth/store.ts';
import { forgetOldSignIns } from './access/operators/forget-sign-ins.ts';
import { endDemoKeys } from './demo/store.ts';
import { forgetKept } from './events/outbox.ts';
import { forgetUnusedAttachments } from './messaging/attachments/forget-unused.ts';
import { forgetNews } from './people/chat-center/feed-store.ts';
import { forgetLinks } from './people/iframe/store.ts';
import type { Context } from './platform/context.ts';
import { ensurePartitions } from './platform/database/partitions.ts';
import { forgetKeys } from './platform/http/idempotency-store.ts';
import { forgetRates } from './platform/limits/rates-store.ts';
import { randomToken, sha256 } from './platform/secrets/secret.ts';

const hourMs = 3_600_000;
const restMs = 600_000;
const monthsAhead = 3;
const keysLiveMs = 24 * hourMs;

/** Regular work for any worker. Several workers may do it at once. */
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

/** One round of housekeeping. */
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
  await endDemoKeys(sql, now, sha256(randomToken()));
  await forgetUnusedAttachments(context);
}
