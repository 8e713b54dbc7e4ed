import type { Context } from '../../platform/context.ts';
import type { Attempt } from '../endpoints/call.ts';
import { disableEndpoint, type EndpointRow, noteFailure, noteRecovery } from '../endpoints/health-store.ts';
import { isGone, isSuccess, patienceEndedAt } from './rules.ts';

export type Tried = { endpoint: EndpointRow; attempt: Attempt };

/**
 * Notes the health of endpoints after a batch of attempts. Only a change is written. Neither a healthy endpoint nor a
 * permanently failing one therefore costs a statement.
 */
export async function noteHealth(context: Context, tried: Tried[]): Promise<void> {
  const perAddress = Map.groupBy(tried, ({ endpoint }) => `${endpoint.id} ${endpoint.url}`);
  for (const ofOne of perAddress.values()) await noteHealthOfOne(context, ofOne);
}

async function noteHealthOfOne({ sql, clock, log }: Context, tried: Tried[]): Promise<void> {
  const [first] = tried;
  if (!first) return;
  const { id: endpointId, url, failing_since: failingSince } = first.endpoint;
  const called = { endpointId, url };
  const disable = async (reason: string, since: Date | null): Promise<void> => {
    await disableEndpoint(sql, called, { at: clock.now(), reason, failingSince: since });
    log.warn({ endpoint: endpointId }, `webhooks: the endpoint is disabled: ${reason}`);
  };

  if (tried.some(({ attempt }) => isGone(attempt.status))) {
    return disable('The receiver answered 410: it is gone.', null);
  }
  if (tried.some(({ attempt }) => isSuccess(attempt.status))) {
    return failingSince ? noteRecovery(sql, called) : undefined;
  }
  if (!failingSince) return noteFailure(sql, called, first.attempt.startedAt);
  const limit = patienceEndedAt(clock.now());
  if (failingSince <= limit) return disable('There were nothing but failures for 120 hours.', limit);
}
