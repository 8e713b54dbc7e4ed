import type { Context } from '../../platform/context.ts';
import { during } from '../../platform/telemetry/traces.ts';
import { currentTrace } from '../../platform/work.ts';
import type { AcceptPush } from './accept.ts';

/** The acceptance as a span of the request. The message continues the trace from there. */
export function traced({ traces }: Pick<Context, 'traces'>, accept: AcceptPush): AcceptPush {
  if (!traces) return accept;
  return (principal, id, body, way) => {
    const facts = { project: principal.projectId, message: id };
    const span = traces.follow(currentTrace(), { name: 'accept', kind: 'internal', facts });
    return during(span, () => accept(principal, id, body, way));
  };
}
