import { randomInt } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { Refused } from '../../platform/problem.ts';
import { findUntaken, type NewCode, type Outcome } from './new-codes-store.ts';
import type { Form } from './rules.ts';
import type { WriteCode } from './write.ts';

/**
 * Codes are drawn blindly at first. The smallest form has 11,881,376 codes. Half must be taken before one of 16
 * requests needs more tries.
 */
const blindTries = 4;
/** Then this many are looked up at once: enough when one code in a thousand is free. */
const lookedUp = 4_096;
/** Others may take the found code meanwhile. */
const foundTries = 4;

export const drawCode = ({ prefix, characters, length }: Form): string =>
  prefix + Array.from({ length }, () => characters[randomInt(characters.length)]).join('');

/**
 * Stores a code of this form that is new to the project. The database checks that it is new, so a growing number of
 * codes slows nothing down. Throws `Refused` when hardly any are left.
 */
export async function takeFreeCode(
  { sql }: Pick<Context, 'sql'>,
  write: WriteCode,
  form: Form,
  blank: Omit<NewCode, 'code'>,
): Promise<{ code: string; outcome: Exclude<Outcome, 'taken'> }> {
  const projectId = blank.project_id;
  const drawMany = () => Array.from({ length: lookedUp }, () => drawCode(form));
  for (let tries = 0; tries < blindTries + foundTries; tries += 1) {
    const code = tries < blindTries ? drawCode(form) : await findUntaken(sql, projectId, drawMany());
    if (code === undefined) break;
    const outcome = await write({ ...blank, code });
    if (outcome !== 'taken') return { code, outcome };
  }
  throw new Refused('Hardly any codes of this form are left. Use more characters, digits or another prefix.');
}
