import { isRecord } from '../../platform/http/json.ts';

/** The name in `{"audience": "<name>"}`. Null for anything else, such as a filter. */
export function audienceNamedBy(given: unknown): string | null {
  if (!isRecord(given)) return null;
  const { audience, ...others } = given;
  return typeof audience === 'string' && Object.keys(others).length === 0 ? audience : null;
}

export const unknownAudience = (name: string): string => `There is no audience called "${name}".`;
