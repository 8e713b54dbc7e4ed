import type { Context } from '../context.ts';
import type { Facts } from '../filters/facts.ts';
import { TooMuchWork } from '../filters/work.ts';
import { OutboundFailed, OutboundRefused } from '../lib/outbound.ts';
import { requestOf } from '../scenarios/request.ts';
import type { Scenario } from '../scenarios/schema.ts';
import type { Answer, State } from '../scenarios/state.ts';

const timeoutMs = 15_000;
const maxAnswerBytes = 256 * 1024;

/**
 * Makes the request that a run waits for, and never throws. After a crash it is made again with the same
 * `Idempotency-Key`: the run and the request's number in it.
 */
export async function makeRequest(
  { outbound, log }: Pick<Context, 'outbound' | 'log'>,
  scenario: Scenario,
  state: State,
  facts: Facts,
  runId: string,
  deadline: AbortSignal,
): Promise<Answer> {
  try {
    const request = requestOf(scenario, state, facts);
    if (!request) return { failure: 'There is no request to make.' };
    const { status, body } = await outbound.request({
      ...request,
      headers: {
        'user-agent': 'Patchbay',
        accept: 'application/json',
        ...request.headers,
        'idempotency-key': `${runId}-${state.requests}`,
      },
      timeoutMs,
      signal: deadline,
      maxResponseBytes: maxAnswerBytes,
    });
    return { status, body: body.toString('utf8') };
  } catch (error) {
    if (error instanceof TooMuchWork) return { failure: 'The request has become too large.' };
    if (!(error instanceof OutboundFailed || error instanceof OutboundRefused)) {
      log.error({ err: error, run: runId }, 'running: a request could not be made');
    }
    return { failure: error instanceof Error ? error.message : 'The request could not be made.' };
  }
}
