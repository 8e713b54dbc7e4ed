import { isLongerThan } from '../../platform/characters.ts';
import { isRecord } from '../../platform/http/json.ts';
import { isStorable } from '../../platform/http/storable.ts';
import { Invalid } from '../../platform/problem.ts';
import type { Condition, Filter } from './filter.ts';
import { conditionTypes, isConditionType, subjectOf } from './subject.ts';
import { BadValue, isLookup, lookups, testOf } from './test-of.ts';

const maxDepth = 32;
const maxConditions = 1000;
const maxKey = 1024;
/** Enough for a correction. */
const maxReported = 20;

type Reading = { conditions: number; problems: string[] };

/** The place is already in `problems`. */
const wrong = Symbol('wrong');

/**
 * Reads `{"all": […]}` or `{"any": […]}` of conditions and nested groups. Throws `Invalid` with sentences that name
 * the place, under the name of the input's field. Example: `{"filter_chats": ["all.2: Must be a valid boolean."]}`. A
 * condition has its `type` and one key, `<name>` or `<name>__<lookup>`. A name that contains `__` needs an explicit
 * lookup: `my__name__exact`. Source: docs/contract.md, section 5.
 */
export function parseFilter(value: unknown, field = 'filter_chats'): Filter {
  const reading: Reading = { conditions: 0, problems: [] };
  const filter = isGroup(value) ? readGroup(value, '', 1, reading) : complain(reading, '', shape);
  if (filter === wrong || reading.problems.length > 0) throw new Invalid({ [field]: reading.problems });
  return filter;
}

const shape = 'A filter is {"all": […]} or {"any": […]}.';

const isGroup = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && (Object.hasOwn(value, 'all') || Object.hasOwn(value, 'any'));

function readGroup(
  group: Record<string, unknown>,
  path: string,
  depth: number,
  reading: Reading,
): Filter | typeof wrong {
  const [name, ...others] = Object.keys(group);
  if (others.length > 0 || (name !== 'all' && name !== 'any')) {
    return complain(reading, path, 'A group has either "all" or "any", and nothing else.');
  }
  const inside = path === '' ? name : `${path}.${name}`;
  const items = group[name];
  if (!Array.isArray(items)) return complain(reading, inside, 'Expected a list of items.');
  if (depth > maxDepth) return complain(reading, inside, `Groups may be nested ${maxDepth} deep.`);
  const filters: Filter[] = [];
  for (const [index, item] of items.entries()) {
    if (reading.problems.length >= maxReported || reading.conditions > maxConditions) break;
    const filter = readItem(item, `${inside}.${index}`, depth, reading);
    if (filter !== wrong) filters.push(filter);
  }
  return name === 'all' ? { all: filters } : { any: filters };
}

/** Groups count as conditions too: an empty group costs as much. */
function readItem(item: unknown, path: string, depth: number, reading: Reading): Filter | typeof wrong {
  reading.conditions += 1;
  if (reading.conditions > maxConditions) {
    return complain(reading, path, `A filter has no more than ${maxConditions} conditions.`);
  }
  if (isGroup(item)) return readGroup(item, path, depth + 1, reading);
  try {
    return readCondition(item);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    return complain(reading, path, error.message);
  }
}

function readCondition(item: unknown): Condition {
  if (!isRecord(item)) throw new BadValue('A condition is an object.');
  const { type, ...rest } = item;
  if (!isConditionType(type)) {
    throw new BadValue(`The type of a condition is one of: ${conditionTypes.join(', ')}.`);
  }
  const [[key, value] = ['', null], ...others] = Object.entries(rest);
  if (key === '' || others.length > 0) throw new BadValue('A condition has its type and one key.');
  if (isLongerThan(key, maxKey) || !isStorable(key)) throw new BadValue('The key is too long, or no text.');
  const [name, lookup] = splitKey(key);
  const subject = subjectOf(type, name);
  if (!subject) throw new BadValue(`A condition of the type ${type} has no key "${name}".`);
  return { subject, test: testOf(subject, lookup, value) };
}

function splitKey(key: string): [name: string, lookup: (typeof lookups)[number]] {
  const at = key.lastIndexOf('__');
  if (at === -1) return [key, 'exact'];
  const lookup = key.slice(at + 2);
  if (at === 0 || !isLookup(lookup)) {
    throw new BadValue(`"${key.slice(0, 100)}" does not end in a lookup: ${lookups.join(', ')}.`);
  }
  return [key.slice(0, at), lookup];
}

function complain(reading: Reading, path: string, sentence: string): typeof wrong {
  reading.problems.push(path === '' ? sentence : `${path}: ${sentence}`);
  return wrong;
}
