import type { Facts } from '../../clients/filters/facts.ts';
import type { Context } from '../../platform/context.ts';
import { OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import type { ClaimedRun } from '../claim-store.ts';
import { requestOf, whyNotMade } from '../request.ts';
import type { Scenario } from '../schema.ts';
import { secretsFor } from '../secrets.ts';
import type { Answer, State } from '../state.ts';

const timeoutMs = 15_000;
const maxAnswerBytes = 256 * 1024;

/**
 * Makes the request whose answer a run awaits. Never throws. After a crash it is repeated with the same
 * `Idempotency-Key`: the run's id and the request's number.
 */
export async function makeRequest(
  context: Pick<Context, 'sql' | 'vault' | 'outbound' | 'log'>,
  scenario: Scenario,
  state: State,
  facts: Facts,
  { id: runId, project_id: projectId }: Pick<ClaimedRun, 'id' | 'project_id'>,
  deadline: AbortSignal,
): Promise<Answer> {
  const { outbound, log } = context;
  try {
    const secrets = await secretsFor(context, projectId, scenario, state);
    const request = requestOf(scenario, state, facts, secrets);
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
      reader: { owner: projectId },
    });
    return { status, body: body.toString('utf8') };
  } catch (error) {
    const failure = whyNotMade(error);
    if (failure !== null) return { failure };
    if (error instanceof OutboundFailed || error instanceof OutboundRefused)
      return { failure: error.message };
    log.error({ err: error, run: runId }, 'running: a request could not be made');
    return { failure: 'The request could not be made.' };
  }
}
