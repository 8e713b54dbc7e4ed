import { isRecord } from '../platform/http/json.ts';
import { type FieldMessages, Invalid } from '../platform/problem.ts';
import { checkAddresses, type Reach } from './addresses.ts';
import { type Names, namesIn } from './names.ts';
import { parseScenario, readFrame } from './parse.ts';

/** A fault and its place: a JSON Pointer (RFC 6901), whose last part may be a missing field. */
export type Complaint = { pointer: string; message: string };

/** `uses` lists the objects that the scenario names. Null while it has a fault. */
export type Checked = { complaints: Complaint[]; uses: Names | null };

/** Every complaint of `parseScenario` and `checkAddresses`, each at its place in the file. */
export async function checkScenario(context: Reach, value: unknown): Promise<Checked> {
  const frame = await outcomeOf(() => readFrame(value));
  if ('problems' in frame) return { complaints: complaintsAbout(value, frame.problems), uses: null };
  const whole = await outcomeOf(async () => {
    const scenario = parseScenario(value);
    await checkAddresses(context, scenario);
    return scenario;
  });
  if ('result' in whole) return { complaints: [], uses: namesIn(whole.result) };
  const { steps = {}, ...rest } = whole.problems;
  const placed = { ...rest, steps: byPlace(value, steps) };
  return { complaints: complaintsAbout(value, placed), uses: null };
}

type Outcome<Result> = { result: Result } | { problems: FieldMessages };

async function outcomeOf<Result>(read: () => Result | Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await read() };
  } catch (error) {
    if (error instanceof Invalid) return { problems: error.fields };
    throw error;
  }
}

/** The problems of steps by their places in the list. The parser puts them under the steps' ids. */
function byPlace(value: unknown, problems: FieldMessages[string]): FieldMessages[string] {
  if (Array.isArray(problems) || !isRecord(value) || !Array.isArray(value.steps)) return problems;
  const ids = value.steps.map((step: unknown) => (isRecord(step) ? step.id : undefined));
  return Object.fromEntries(Object.entries(problems).map(([id, found]) => [ids.lastIndexOf(id), found]));
}

function complaintsAbout(value: unknown, problems: FieldMessages[string], path = ''): Complaint[] {
  if (Array.isArray(problems)) return problems.map((message) => ({ pointer: path, message }));
  return Object.entries(problems).flatMap(([name, found]) => {
    if (name === 'non_field_errors') return complaintsAbout(value, found, path);
    // The parser's rules join names with dots. A field's own name may contain some, too.
    const isField = isRecord(value) && Object.hasOwn(value, name);
    const parts = isField ? [name] : name.split('.');
    const inside = parts.reduce<unknown>((part, key) => partOf(part, key), value);
    return complaintsAbout(inside, found, path + parts.map((part) => `/${escaped(part)}`).join(''));
  });
}

const partOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
