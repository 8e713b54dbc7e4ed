import type { Context } from '../../platform/context.ts';
import { Refused } from '../../platform/problem.ts';
import { insertManyCodes, type Outcome } from './new-codes-store.ts';
import type { Form } from './rules.ts';
import { drawCode } from './take-free.ts';

/** Even if nine of ten codes are taken, this many rounds miss less than one of a hundred. */
const rounds = 48;

export type Batch = { projectId: string; groupId: string; expiresAt: Date | null };

/**
 * Stores up to `count` codes of this form that are new to the project. Returns their number, which is lower when the
 * form has hardly any left. Returns 'no_group' when the group does not exist. Throws `Refused` when none is left.
 */
export async function generateCodes(
  { sql, newId, clock }: Pick<Context, 'sql' | 'newId' | 'clock'>,
  { projectId, groupId, expiresAt }: Batch,
  form: Form,
  count: number,
): Promise<number | 'no_group'> {
  let made = 0;
  for (let round = 0; round < rounds && made < count; round += 1) {
    const drawn = new Set(Array.from({ length: count - made }, () => drawCode(form)));
    const outcomes = await insertManyCodes(
      sql,
      [...drawn].map((code) => newCode(newId(), code)),
    );
    if (outcomes.includes('no_group')) return 'no_group';
    made += outcomes.filter((outcome: Outcome) => outcome === 'written').length;
  }
  if (made === 0) {
    throw new Refused(
      'Hardly any codes of this form are left. Use more characters, digits or another prefix.',
    );
  }
  return made;

  function newCode(id: string, code: string) {
    return {
      project_id: projectId,
      id,
      group_id: groupId,
      code,
      status: 'AVAILABLE' as const,
      issued_chat_id: null,
      issued_at: null,
      expires_at: expiresAt,
      created_at: clock.now(),
    };
  }
}
