import type { ProblemLine } from '../lists-store.ts';
import type { Counts, Progress } from '../planner-store.ts';

const nothing: Counts = { planned: 0, sent: 0, undelivered: 0, cancelled: 0 };

/** Messages whose end is not known yet. */
export const openIn = ({ planned, sent, undelivered, cancelled }: Counts): number =>
  planned - sent - undelivered - cancelled;

/** The weight of the newer of two speeds: one slow second should not make the end seem far. */
const weightOfNew = 0.3;
const shortestMs = 500;

/** The figures of a run at this moment. */
export function figuresOf(progress: Progress, counts: Counts, now: Date): Progress {
  const before = progress.before ?? nothing;
  const prepared = counts.planned - before.planned;
  const sent = counts.sent - before.sent;
  const open = openIn(counts);
  const done = prepared - open;
  const figures = { prepared, sent };
  const { measured_at = now.getTime(), measured_done = done } = progress;
  const elapsedMs = now.getTime() - measured_at;
  if (elapsedMs < shortestMs) return { ...figures, measured_at, measured_done };

  const latest = Math.max(0, ((done - measured_done) * 1000) / elapsedMs);
  const rate = progress.rate == null ? latest : progress.rate + weightOfNew * (latest - progress.rate);
  return {
    ...figures,
    rate: Math.round(rate * 10) / 10,
    seconds_left: rate > 0 ? Math.ceil(open / rate) : null,
    measured_at: now.getTime(),
    measured_done: done,
  };
}

/** `12,000 prepared, 3,400 sent, 250 a second, about 35 seconds left`. */
export function inWords({ prepared = 0, sent = 0, rate, seconds_left, problems = 0 }: Progress): string {
  return [
    `${counted(prepared)} prepared`,
    `${counted(sent)} sent`,
    ...(rate ? [`${counted(Math.round(rate))} a second`] : []),
    ...(seconds_left ? [`about ${durationOf(seconds_left)} left`] : []),
    ...(problems ? [`${counted(problems)} lines reached nobody`] : []),
  ].join(', ');
}

/** The problem lines of a finished run in a sentence, for readers of the mailing. Empty without any. */
export function leftOut(prepared: number, problems: number, first: ProblemLine | undefined): string {
  if (!first) return prepared === 0 ? 'Nobody in the audience can be written to.' : '';
  const { line, identifier, reason } = first;
  const shown = Array.from(identifier).slice(0, 100).join('');
  return `${counted(problems)} of the audience reached nobody. The first is number ${line}, "${shown}": ${reason}`;
}

/** What a mailing says whose moment came before it was done. */
export function tooLate({ planned, cancelled }: Counts): string {
  if (planned === 0) return 'The mailing had to be done before it could begin.';
  return cancelled === 0
    ? ''
    : `${counted(cancelled)} messages were not sent: the mailing had to be done before.`;
}

const counted = (count: number): string => count.toLocaleString('en');

export function durationOf(seconds: number): string {
  if (seconds === 1) return '1 second';
  if (seconds < 100) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
