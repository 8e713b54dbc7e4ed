import type { SendResult } from '../../channels/contract/adapter.ts';
import type { Context } from '../../platform/context.ts';
import type { Span } from '../../platform/telemetry/traces.ts';
import type { ClaimedMessage } from './claim.ts';
import type { Outcome } from './rules.ts';

/** Null when tracing is off, or when the message's trace is not sampled. */
export type CallSpan = Span | null | undefined;

/**
 * The span of one call of an adapter. It continues the trace that accepted the message. A mailing is too large for one
 * trace, so each of its messages begins its own.
 */
export function spanOf({ traces }: Pick<Context, 'traces'>, message: ClaimedMessage): CallSpan {
  if (!traces) return null;
  const { project_id: project, id, channel_id: channel, platform, attempts: attempt } = message;
  const beginning = {
    name: 'send',
    kind: 'client',
    facts: { project, message: id, channel, platform, attempt, mailing: message.mailing_id ?? undefined },
  } as const;
  const begins = message.trace === null && message.mailing_id !== null;
  return begins ? traces.begin(beginning) : traces.follow(message.trace, beginning);
}

/** Tells the code of an error, and not its detail, which may quote the message. */
export function endSpan(span: CallSpan, result: SendResult, { state }: Outcome): void {
  span?.end({ outcome: state, ...(!result.sent && { error: result.error.code }) });
}
