import { forgetLinks } from './access/iframe/store.ts';
import { forgetExpiredTokens } from './access/oauth/store.ts';
import { forgetOldSignIns } from './access/operators/forget-sign-ins.ts';
import { askStandings, watchTraffic } from './channels/connected/health.ts';
import { renewTokens } from './channels/connected/renew-tokens.ts';
import { deleteUnfinished } from './channels/connected/store.ts';
import { endDemoKeys } from './demo/end-keys.ts';
import { forgetKept } from './events/forget-store.ts';
import { forgetLeftLists } from './mailings/arriving.ts';
import { lookAtAudiences } from './mailings/audience-days.ts';
import { forgetUnusedAttachments } from './messaging/attachments/forget-unused.ts';
import { nameStoredFiles } from './messaging/attachments/name-files.ts';
import { forgetEarly, forgetMarks } from './messaging/chats/early-receipts-store.ts';
import { receiveStranded } from './messaging/chats/receipts.ts';
import { forgetNews } from './people/chat-center/feed-store.ts';
import { tellApprovers } from './people/console/mailings/tell-approvers.ts';
import { ensurePartitions } from './platform/database/partitions.ts';
import { forgetKeys } from './platform/http/idempotency-store.ts';
import type { Job } from './platform/jobs/jobs.ts';
import { forgetRates } from './platform/limits/rates-store.ts';
import { removeOld } from './retention/retention.ts';
import { startByDates } from './scenarios/date-starts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const monthsAhead = 3;
const keysLiveMs = 24 * hourMs;
const receiptsKeptMs = 15 * minuteMs;

/**
 * The periodic jobs: they keep the database and the files small, access tokens alive and channels watched, and start
 * scenarios on days of the year.
 */
export const housekeeping: readonly Job[] = [
  {
    name: 'monthly partitions',
    everyMs: hourMs,
    run: ({ sql, clock }) => ensurePartitions(sql, clock.now(), monthsAhead),
  },
  {
    name: 'idempotency keys',
    everyMs: 10 * minuteMs,
    run: ({ sql, clock }) => forgetKeys(sql, new Date(clock.now().getTime() - keysLiveMs)),
  },
  {
    name: 'expired tokens',
    everyMs: 10 * minuteMs,
    run: ({ sql, clock }) => forgetExpiredTokens(sql, clock.now()),
  },
  {
    name: 'chat center links',
    everyMs: 10 * minuteMs,
    run: ({ sql, clock }) => forgetLinks(sql, clock.now()),
  },
  {
    name: 'old sign-ins',
    everyMs: 10 * minuteMs,
    run: ({ sql, clock }) => forgetOldSignIns(sql, clock.now()),
  },
  { name: 'early receipts', everyMs: minuteMs, run: receiveStranded },
  {
    name: 'receipts of unknown messages',
    everyMs: 10 * minuteMs,
    run: ({ sql, clock }) => forgetEarly(sql, new Date(clock.now().getTime() - receiptsKeptMs)),
  },
  {
    name: 'receipts up to unknown messages',
    everyMs: 10 * minuteMs,
    run: ({ sql, clock }) => forgetMarks(sql, new Date(clock.now().getTime() - receiptsKeptMs)),
  },
  {
    name: 'channels that were never finished',
    everyMs: 10 * minuteMs,
    run: ({ sql, clock }) => deleteUnfinished(sql, new Date(clock.now().getTime() - hourMs)),
  },
  { name: 'lists of mailings that were never stored', everyMs: 10 * minuteMs, run: forgetLeftLists },
  { name: 'channels at their providers', everyMs: hourMs, run: askStandings },
  { name: 'queues of channels', everyMs: 5 * minuteMs, run: watchTraffic },
  { name: 'chat news', everyMs: 10 * minuteMs, run: ({ sql }) => forgetNews(sql) },
  { name: 'kept events', everyMs: 10 * minuteMs, run: ({ sql, clock }) => forgetKept(sql, clock.now()) },
  { name: 'rate counters', everyMs: 10 * minuteMs, run: ({ sql, clock }) => forgetRates(sql, clock.now()) },
  { name: 'access tokens', everyMs: 6 * hourMs, run: renewTokens },
  { name: 'demo keys', everyMs: 10 * minuteMs, run: endDemoKeys },
  { name: 'addresses of stored files', everyMs: hourMs, run: nameStoredFiles },
  { name: 'days that start scenarios', everyMs: 10 * minuteMs, run: startByDates },
  { name: 'retention', everyMs: 10 * minuteMs, run: removeOld },
  { name: 'sizes of audiences', everyMs: 5 * minuteMs, run: lookAtAudiences },
  { name: 'mailings to approve', everyMs: minuteMs, run: tellApprovers },
  { name: 'unused uploads', everyMs: 10 * minuteMs, run: forgetUnusedAttachments },
];
