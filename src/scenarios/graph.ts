import type { Scenario, Step } from './schema.ts';

/** The step to which a field leads. Null is the end of the scenario. */
type Way = { field: string; to: string | null };

/**
 * The faults in the graph of steps: a step's id, and the correction. A step must be unique and lead to existing
 * steps. It must be reachable from the first one. From it a run must reach an end or a wait for the client.
 */
export function graphProblems({ start, steps }: Scenario): [id: string, { [field: string]: string[] }][] {
  const problems: [string, { [field: string]: string[] }][] = [];
  const ids = new Set<string>();
  for (const { id } of steps) {
    if (ids.has(id)) problems.push([id, { id: ['There are several steps of this name.'] }]);
    ids.add(id);
  }
  const ways = new Map(steps.map((step, index) => [step.id, waysFrom(step, steps[index + 1]?.id ?? null)]));
  for (const [id, from] of ways) {
    const lost = from.filter(({ to }) => to !== null && !ids.has(to));
    if (lost.length > 0) {
      problems.push([
        id,
        Object.fromEntries(lost.map(({ field, to }) => [field, [`There is no step "${to}".`]])),
      ]);
    }
  }
  if (problems.length > 0) return problems;

  const reached = reachedFrom(start ?? steps[0]?.id ?? '', ways);
  for (const { id } of steps) {
    if (!reached.has(id)) problems.push([id, { id: ['No step leads here.'] }]);
  }
  const stops = stoppingSteps(steps, ways);
  const [circling] = steps.filter(({ id }) => reached.has(id) && !stops.has(id));
  if (circling) {
    problems.push([
      circling.id,
      { next: ['From here it goes round and round: it never ends, and never waits for the client.'] },
    ]);
  }
  return problems;
}

function waysFrom(step: Step, following: string | null): Way[] {
  const next = (field: string, to: string | undefined): Way => ({ field, to: to ?? following });
  switch (step.type) {
    case 'message':
      return [next('next', step.next), ...waysOf('buttons', step.buttons)];
    case 'ask':
      return [
        next('next', step.next),
        ...waysOf('options', step.options),
        ...(step.failed ? [next('failed', step.failed)] : []),
        ...(step.timeout ? [next('timeout', step.timeout.next)] : []),
      ];
    case 'branch':
      return [next('next', step.next), ...waysOf('cases', step.cases)];
    case 'request':
      return [next('next', step.next), ...(step.failed ? [next('failed', step.failed)] : [])];
    case 'promocode':
      return [next('next', step.next), ...(step.empty ? [next('empty', step.empty)] : [])];
    case 'set':
    case 'wait':
    case 'operator':
      return [next('next', step.next)];
    case 'goto':
      return [{ field: 'step', to: step.step ?? null }];
    case 'end':
      return [{ field: 'id', to: null }];
  }
}

const waysOf = (field: string, parts: readonly { next?: string }[] = []): Way[] =>
  parts.flatMap(({ next }, index) =>
    next === undefined ? [] : [{ field: `${field}.${index}.next`, to: next }],
  );

function reachedFrom(first: string, ways: ReadonlyMap<string, Way[]>): Set<string> {
  const reached = new Set<string>();
  const waiting = [first];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const { to } of ways.get(id) ?? []) if (to !== null) waiting.push(to);
  }
  return reached;
}

/** The steps from which the end or a wait for the client can be reached. */
function stoppingSteps(steps: readonly Step[], ways: ReadonlyMap<string, Way[]>): Set<string> {
  const leadingTo = new Map<string, string[]>();
  const waiting: string[] = [];
  for (const step of steps) {
    const from = ways.get(step.id) ?? [];
    if (waitsForClient(step) || from.some(({ to }) => to === null)) waiting.push(step.id);
    for (const to of new Set(from.map((way) => way.to))) {
      if (to === null) continue;
      const others = leadingTo.get(to);
      if (others) others.push(step.id);
      else leadingTo.set(to, [step.id]);
    }
  }
  const stops = new Set<string>();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (stops.has(id)) continue;
    stops.add(id);
    waiting.push(...(leadingTo.get(id) ?? []));
  }
  return stops;
}

/** Whether the run waits here until the client writes. */
export function waitsForClient(step: Step): boolean {
  switch (step.type) {
    case 'ask':
    case 'operator':
      return true;
    case 'message':
      return step.buttons?.some(({ next }) => next !== undefined) ?? false;
    default:
      return false;
  }
}
