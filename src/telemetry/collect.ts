import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../platform/context.ts';
import { lastRuns } from '../platform/jobs/store.ts';
import { channelStates, laneDepths, mailingDepths, webhookDepth } from './queues-store.ts';

/** The database is asked at most this often, however many ask us. */
const freshMs = 5_000;

const laneNames: Readonly<Record<number, string>> = { 0: 'urgent', 1: 'regular', 2: 'suspects' };

/** Adds the figures that the database knows. They are the same in every process. */
export function collectFromDatabase(context: Context): void {
  const gauges = createGauges(context.metrics.registry, () => refreshed());
  let last: { at: number; done: Promise<void> } | undefined;

  function refreshed(): Promise<void> {
    const now = performance.now();
    if (!last || now - last.at > freshMs) {
      last = { at: now, done: refresh(context, gauges).catch(() => gauges.isUp.set(0)) };
    }
    return last.done;
  }
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registry: Registry, refresh: () => Promise<void>) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name: `patchbay_${name}`, help, labelNames, registers: [registry], collect: refresh });
  const ofChannel = ['project', 'channel', 'platform'] as const;
  return {
    isUp: gauge('database_up', '1 if the database answered the last question.', []),
    waiting: gauge('messages_due', 'Messages that are due and wait.', [...ofChannel, 'lane']),
    oldest: gauge('messages_oldest_due_seconds', 'How long the oldest due message has waited.', [
      ...ofChannel,
      'lane',
    ]),
    isActive: gauge('channel_active', '1 if the channel sends, 0 if it is paused.', [...ofChannel]),
    rate: gauge('channel_rate', 'The allowed messages per second. Absent if no limit is known.', [
      ...ofChannel,
    ]),
    events: gauge('webhook_events_waiting', 'Events that wait for delivery to webhooks.', []),
    eventLag: gauge('webhook_oldest_due_seconds', 'How long the oldest due event has waited.', []),
    mailings: gauge('mailings_open', 'Mailings that the planner works on, by state and stage.', [
      'state',
      'stage',
    ]),
    jobFailed: gauge('job_failed', '1 if the last run of the job failed.', ['job']),
    jobEnded: gauge('job_last_success_timestamp_seconds', 'The end of the last successful run.', ['job']),
  };
}

async function refresh({ sql, clock }: Context, gauges: Gauges): Promise<void> {
  const now = clock.now();
  const [lanes, channels, webhooks, mailings, jobs] = await Promise.all([
    laneDepths(sql, now),
    channelStates(sql, now),
    webhookDepth(sql),
    mailingDepths(sql),
    lastRuns(sql),
  ]);
  for (const gauge of Object.values(gauges)) gauge.reset();
  gauges.isUp.set(1);
  for (const { project_id, channel_id, platform, lane, waiting, due_since } of lanes) {
    const labels = {
      project: project_id,
      channel: channel_id,
      platform,
      lane: laneNames[lane] ?? String(lane),
    };
    gauges.waiting.set(labels, waiting);
    gauges.oldest.set(labels, secondsSince(due_since, now));
  }
  for (const { project_id, channel_id, platform, state, rate } of channels) {
    const labels = { project: project_id, channel: channel_id, platform };
    gauges.isActive.set(labels, state === 'active' ? 1 : 0);
    if (rate !== null) gauges.rate.set(labels, rate);
  }
  gauges.events.set(webhooks.waiting);
  gauges.eventLag.set(webhooks.due_since ? secondsSince(webhooks.due_since, now) : 0);
  for (const { state, stage, mailings: count } of mailings) {
    gauges.mailings.set({ state, stage: stage ?? '' }, count);
  }
  for (const { name, ended_at, error } of jobs) {
    gauges.jobFailed.set({ job: name }, error === null ? 0 : 1);
    if (ended_at && error === null) gauges.jobEnded.set({ job: name }, ended_at.getTime() / 1000);
  }
}

const secondsSince = (moment: Date, now: Date): number =>
  Math.max(0, (now.getTime() - moment.getTime()) / 1000);
