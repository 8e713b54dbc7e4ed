import type { Context } from '../platform/context.ts';
import { isRecord } from '../platform/http/json.ts';
import { Refused } from '../platform/problem.ts';
import { findVersion } from './store.ts';

/** The definition of a scenario by its name or else its id, current or at a version. Throws `Refused`. */
export async function exportScenario(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  key: string,
  version: string | undefined,
): Promise<object> {
  const wanted = version === undefined ? null : wholeNumber(version);
  if (Number.isNaN(wanted)) throw new Refused(`"${version}" is not the number of a version.`);
  const id = wholeNumber(key);
  const found =
    (await findVersion(sql, projectId, { name: key }, wanted)) ??
    (Number.isNaN(id) ? null : await findVersion(sql, projectId, { id }, wanted));
  if (!found || !isRecord(found.definition)) {
    throw new Refused(
      `There is no scenario "${key}"${version === undefined ? '' : ` at version ${version}`}.`,
    );
  }
  return found.definition;
}

const wholeNumber = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);
