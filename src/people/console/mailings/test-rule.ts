import { readProject } from '../../../access/projects/store.ts';
import { digestOf } from '../../../mailings/content-digest.ts';
import type { Checked } from '../../../mailings/make.ts';
import { hasAudience } from '../../../mailings/rules.ts';
import { isTested } from '../../../mailings/tests-store.ts';
import type { Context } from '../../../platform/context.ts';
import { Refused } from '../../../platform/problem.ts';
import { findVersion } from '../../../scenarios/store.ts';
import { findAudience } from './audience.ts';
import type { AudienceSize, MailingDraft } from './draft-schema.ts';

/** A person waits for the start. */
const patienceMs = 5_000;

/** The digest of what the mailing says now. A scenario that was published again says something else. */
export async function digestNow(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  checked: Checked,
): Promise<Buffer> {
  const versions: (number | null)[] = [];
  for (const { node_id } of [checked, ...(checked.ab_test?.variants ?? [])]) {
    const scenario = node_id === null ? null : await findVersion(sql, projectId, { id: node_id }, null);
    versions.push(scenario?.version ?? null);
  }
  return digestOf(checked, versions);
}

/** Whether the audience may be larger. A file's audience is unknown, and so is one whose count did not end in time. */
export const mayExceed = ({ count, is_exact }: AudienceSize, most: number): boolean =>
  !is_exact || (count ?? 0) > most;

/**
 * The size above which this content must be tested first. Null if the mailing may start.
 * @param sizeOf Counts the audience, at least up to one more than this.
 */
export async function needsTestAbove(
  context: Pick<Context, 'sql'>,
  projectId: string,
  draft: MailingDraft,
  checked: Checked,
  sizeOf: (most: number) => Promise<AudienceSize>,
): Promise<number | null> {
  const { test_above: most } = await readProject(context.sql, projectId);
  if (most === null || !hasAudience({ ...draft, name: '' })) return null;
  const digest = await digestNow(context, projectId, checked);
  const variants = 1 + (checked.ab_test?.variants.length ?? 0);
  if (await isTested(context.sql, projectId, { digest, variants })) return null;
  return mayExceed(await sizeOf(most), most) ? most : null;
}

/** Refuses the start of a mailing to many whose content no colleague was sent. */
export async function requireTest(
  context: Pick<Context, 'sql'>,
  projectId: string,
  draft: MailingDraft,
  checked: Checked,
): Promise<void> {
  const most = await needsTestAbove(context, projectId, draft, checked, async (enough) => {
    const patience = { ms: patienceMs, enough: enough + 1, isLeft: () => false };
    return (await findAudience(context, projectId, draft, patience)).size;
  });
  if (most === null) return;
  throw new Refused(
    `A mailing to more than ${most} recipients starts after it was sent to a colleague as it is now.`,
  );
}
