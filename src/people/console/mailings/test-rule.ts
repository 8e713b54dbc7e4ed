import { readProject } from '../../../access/projects/store.ts';
import { formsOf } from '../../../mailings/audience.ts';
import { digestOf } from '../../../mailings/content-digest.ts';
import type { Checked } from '../../../mailings/make.ts';
import { isTested } from '../../../mailings/tests-store.ts';
import type { Context } from '../../../platform/context.ts';
import { Refused } from '../../../platform/problem.ts';
import { findVersion } from '../../../scenarios/store.ts';
import { findAudience } from './audience.ts';
import type { AudienceSize, MailingDraft } from './draft-schema.ts';

/** A person waits for the start. */
const patienceMs = 5_000;

/**
 * What the mailing says now. A scenario that was published again says something else, unless the mailing has it in its
 * tested version.
 */
export async function presentContent(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  checked: Checked,
): Promise<{ digest: Buffer; versions: { [scenarioId: string]: number } }> {
  const places: (number | null)[] = [];
  const versions: { [scenarioId: string]: number } = {};
  for (const { node_id } of [checked, ...(checked.ab_test?.variants ?? [])]) {
    const scenario = node_id === null ? null : await findVersion(sql, projectId, { id: node_id }, null);
    const version = scenario && (checked.tested_versions?.[scenario.id] ?? scenario.version);
    places.push(version);
    if (scenario && version !== null) versions[scenario.id] = version;
  }
  return { digest: digestOf(checked, places), versions };
}

/** Whether the audience may be larger. A file's audience is unknown, and so is one whose count did not end in time. */
export const mayExceed = ({ count, is_exact }: AudienceSize, most: number): boolean =>
  !is_exact || (count ?? 0) > most;

/** Whether a filter may find others by the time of the start. */
const mayGrow = (checked: Checked, needsApproval: boolean): boolean =>
  checked.filter_chats !== null &&
  (needsApproval || checked.planned_at !== null || checked.regular_cron !== null);

type Rule = {
  /** The size above which this content must be tested first. Null if the mailing may start. */
  above: number | null;
  /** The tested versions of the scenarios. Those that the mailing came with, where nothing was tested. */
  versions: Checked['tested_versions'];
};

/** Counts an audience, at least up to one more than this. */
type SizeOf = (most: number) => Promise<AudienceSize>;

/**
 * The project's rule for the test of a mailing.
 * @param forms The number of forms in which its recipients get it.
 */
export async function testRule(
  context: Pick<Context, 'sql'>,
  projectId: string,
  checked: Checked,
  sizeOf: SizeOf,
  forms = formsOf(checked).length,
): Promise<Rule> {
  const { test_above: most, needs_approval } = await readProject(context.sql, projectId);
  const given = checked.tested_versions;
  // A draft does not start.
  if (most === null || checked.due_at === null) return { above: null, versions: given };
  const { digest, versions } = await presentContent(context, projectId, checked);
  const variants = (1 + (checked.ab_test?.variants.length ?? 0)) * forms;
  if (await isTested(context.sql, projectId, { digest, variants })) return { above: null, versions };
  const mustTest = mayGrow(checked, needs_approval) || mayExceed(await sizeOf(most), most);
  return { above: mustTest ? most : null, versions: given };
}

/**
 * The mailing, which sends its scenarios as they were tested. Refuses the start of one to many whose content no colleague
 * was sent.
 */
export async function requireTest(
  context: Pick<Context, 'sql'>,
  projectId: string,
  checked: Checked,
  sizeOf: SizeOf,
  forms = formsOf(checked).length,
): Promise<Checked> {
  const { above, versions } = await testRule(context, projectId, checked, sizeOf, forms);
  if (above === null) return { ...checked, tested_versions: versions };
  const rule = `A mailing that may reach more than ${above} recipients starts after it was sent to a colleague as it is now.`;
  throw new Refused(forms === 1 ? rule : `${rule} ${inBothForms}`);
}

const inBothForms = 'Both the template and the text or scenario must have been sent.';

/** Counts the audience of a draft, as long as a person waits. */
export const sizeOfAudience =
  (context: Pick<Context, 'sql'>, projectId: string, draft: MailingDraft): SizeOf =>
  async (most) => {
    const patience = { ms: patienceMs, enough: most + 1, isLeft: () => false };
    return (await findAudience(context, projectId, draft, patience)).size;
  };

/** The size of a resend, whose recipients are known. */
export const sizeOfResend =
  (count: number): SizeOf =>
  async () => ({ count, is_exact: true, about: null, identifiers: count, platforms: [] });
