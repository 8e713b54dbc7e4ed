import { placeholdersOf } from '../../../platform/placeholders.ts';

/**
 * Whether a filter, a text or a scenario, as JSON, names a tag: in a condition, or in a step that adds or removes it.
 */
export function namesTag(name: string, json: unknown): boolean {
  return anyPart(json, (part) => {
    if (isRecord(part)) {
      const { type, add_tags, remove_tags, ...rest } = part;
      if (holds(add_tags, name) || holds(remove_tags, name)) return true;
      return type === 'profile_tag' && Object.values(rest).some((value) => holds(value, name));
    }
    return false;
  });
}

/** The same for an attribute, which texts name too: `{{attrs.city}}`. */
export function namesAttribute(name: string, json: unknown): boolean {
  return anyPart(json, (part) => {
    if (typeof part === 'string') return placeholdersOf(part).includes(`attrs.${name}`);
    if (!isRecord(part)) return false;
    const { type, attribute, attributes } = part;
    if (attribute === name || (isRecord(attributes) && Object.hasOwn(attributes, name))) return true;
    return (
      type === 'profile_attribute' &&
      Object.keys(part).some((key) => key === name || key.startsWith(`${name}__`))
    );
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const holds = (value: unknown, name: string): boolean =>
  Array.isArray(value) ? value.includes(name) : value === name;

/** Whether any part of a JSON value, including the whole, satisfies the predicate. */
function anyPart(json: unknown, isSo: (part: unknown) => boolean): boolean {
  if (isSo(json)) return true;
  if (typeof json !== 'object' || json === null) return false;
  return Object.values(json).some((part) => anyPart(part, isSo));
}
