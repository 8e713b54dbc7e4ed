import { reader } from '../platform/http/validation.ts';
import { type FieldMessages, Invalid, invalid } from '../platform/problem.ts';
import { graphProblems } from './graph.ts';
import { Frame, type Scenario, type Step, type StepType, stepSchemas } from './schema.ts';
import { stepProblems } from './step-rules.ts';

const maxBytes = 256 * 1024;

/** Reads the fields around the steps. Throws `Invalid`, with a step's faults under its place in the list. */
export const readFrame = reader(Frame);
const stepReaders = {
  message: reader(stepSchemas.message),
  ask: reader(stepSchemas.ask),
  branch: reader(stepSchemas.branch),
  set: reader(stepSchemas.set),
  wait: reader(stepSchemas.wait),
  request: reader(stepSchemas.request),
  promocode: reader(stepSchemas.promocode),
  operator: reader(stepSchemas.operator),
  goto: reader(stepSchemas.goto),
  end: reader(stepSchemas.end),
} satisfies Record<StepType, (input: unknown) => Step>;

/**
 * Parses a scenario's definition, and checks everything that can be known before a run. Throws `Invalid`, with a
 * step's faults under its id. Example: `{"steps": {"ask-size": {"next": ["There is no step \"sizes\"."]}}}`.
 */
export function parseScenario(value: unknown): Scenario {
  const frame = readFrame(value);
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
    throw invalid('non_field_errors', 'A scenario may have at most 256 KiB.');
  }
  const { start } = frame;
  if (start !== undefined && !frame.steps.some(({ id }) => id === start)) {
    throw invalid('start', `There is no step "${start}".`);
  }
  const problems = new Map<string, string[] | FieldMessages>();
  const steps = frame.steps.map((step) => parseStep(step.id, step.type, step, problems));
  const scenario: Scenario = { ...frame, steps: steps.filter((step) => step !== null) };
  if (problems.size === 0) for (const [id, problem] of graphProblems(scenario)) problems.set(id, problem);
  if (problems.size > 0) throw new Invalid({ steps: Object.fromEntries(problems) });
  return scenario;
}

function parseStep(
  id: string,
  type: string,
  value: unknown,
  problems: Map<string, string[] | FieldMessages>,
): Step | null {
  if (!isStepType(type)) return null;
  try {
    const step = stepReaders[type](value);
    const wrong = stepProblems(step);
    if (Object.keys(wrong).length > 0) problems.set(id, wrong);
    return step;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    problems.set(id, error.fields);
    return null;
  }
}

const isStepType = (type: string): type is StepType => Object.hasOwn(stepSchemas, type);
