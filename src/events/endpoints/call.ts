import type { Context } from '../../platform/context.ts';
import { OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../platform/outbound/retry-after.ts';
import { signWebhook } from '../../platform/secrets/signature.ts';
import { keptAnswerBytes, readableAnswer } from './answer.ts';

/** One call of a receiver, as it is logged. `error` explains a missing answer for people. */
export type Attempt = {
  /** Null without an answer. */
  status: number | null;
  /** The pause that the receiver asks for. */
  retryAfterMs: number | null;
  startedAt: Date;
  durationMs: number;
  error: string | null;
  answer: string;
};

export type Receiver = { url: string; secrets: string[] };

/**
 * Makes one signed call until the deadline. Never throws: a missing answer is a result too. The body is sent and
 * signed unchanged.
 */
export async function callReceiver(
  { outbound, clock, log }: Context,
  { url, secrets }: Receiver,
  event: { id: string; body: string; trace?: string },
  deadline: AbortSignal,
): Promise<Attempt> {
  const startedAt = clock.now();
  const begun = performance.now();
  const attempt = (answered: Omit<Attempt, 'startedAt' | 'durationMs'>): Attempt => ({
    startedAt,
    durationMs: Math.round(performance.now() - begun),
    ...answered,
  });
  try {
    const { status, headers, body } = await outbound.request({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Patchbay',
        // Random ids. The receiver may continue the trace.
        ...(event.trace !== undefined && { traceparent: event.trace }),
        ...signWebhook({ ...event, timestamp: startedAt, secrets }),
      },
      body: event.body,
      signal: deadline,
      maxResponseBytes: keptAnswerBytes,
    });
    return attempt({
      status,
      retryAfterMs: retryAfterMs(headers['retry-after'], clock.now()),
      error: null,
      answer: readableAnswer(body),
    });
  } catch (error) {
    const known = error instanceof OutboundFailed || error instanceof OutboundRefused;
    if (!known) log.error({ err: error }, 'webhooks: a call could not be made');
    return attempt({
      status: null,
      retryAfterMs: null,
      error: known ? error.message : 'The call could not be made.',
      answer: '',
    });
  }
}
