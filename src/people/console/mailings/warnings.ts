import type { Filter, Subject, Test } from '../../../clients/filters/filter.ts';
import { parseFilter } from '../../../clients/filters/parse.ts';
import { countAvailable, findGroupsNamed } from '../../../clients/promocodes/reservation-store.ts';
import { codesOf } from '../../../mailings/audience.ts';
import type { Checked } from '../../../mailings/make.ts';
import { hasAudience } from '../../../mailings/rules.ts';
import type { MailingCreate } from '../../../mailings/schema.ts';
import type { Context } from '../../../platform/context.ts';
import { placeholdersOf } from '../../../platform/placeholders.ts';
import { missingOf } from '../../../scenarios/store.ts';
import type { Found } from './audience.ts';
import { recipientsIn } from './audience-parts.ts';
import type { DryRun, Warning } from './draft-schema.ts';
import { unknownFields } from './placeholders.ts';
import { isNight } from './prediction.ts';

type Intended = {
  draft: MailingCreate;
  checked: Checked;
  found: Found;
  channels: DryRun['channels'];
  /** Whether the project has quiet hours: no message arrives in them. */
  isQuiet: boolean;
};

/** Warnings for a person before a mailing begins. */
export async function warningsOf(
  context: Pick<Context, 'sql' | 'clock'>,
  projectId: string,
  intended: Intended,
): Promise<Warning[]> {
  return [
    ...reach(intended),
    ...paused(intended),
    ...(await shortOfCodes(context, projectId, intended)),
    ...(await unknownNames(context, projectId, intended)),
    ...(intended.isQuiet ? [] : night(intended, context.clock.now())),
  ];
}

const warning = (
  code: Warning['code'],
  names: readonly string[] = [],
  count: number | null = null,
): Warning => ({
  code,
  names: [...names],
  count,
});

function reach({ draft, found: { size } }: Intended): Warning[] {
  if (!hasAudience(draft)) return [warning('draft')];
  return size.count === 0 && size.is_exact ? [warning('nobody')] : [];
}

function paused({ channels }: Intended): Warning[] {
  const names = channels.filter(({ state }) => state === 'paused').map(({ name }) => name);
  return names.length > 0 ? [warning('channel_paused', names)] : [];
}

/** Every recipient of the text gets a code of each group. */
async function shortOfCodes(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  projectId: string,
  { checked, found: { groups } }: Intended,
): Promise<Warning[]> {
  const taking = groups.filter(({ content_type }) => content_type === 'TEXT');
  const needed = recipientsIn(taking);
  const warnings: Warning[] = [];
  for (const { id, name } of await findGroupsNamed(sql, projectId, codesOf(checked))) {
    const available = await countAvailable(sql, projectId, id, clock.now(), needed);
    if (available < needed) warnings.push(warning('codes_short', [name], needed - available));
  }
  return warnings;
}

async function unknownNames(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  { checked }: Intended,
): Promise<Warning[]> {
  const placeholders = placeholdersOf(checked.text ?? '');
  const inText = placeholders.flatMap((name) => /^attrs\.(.+)$/s.exec(name)?.[1] ?? []);
  const conditions = checked.filter_chats ? conditionsOf(parseFilter(checked.filter_chats)) : [];
  const missing = await missingOf(sql, projectId, {
    scenarios: [],
    promocode_groups: [],
    audiences: [],
    attributes: [...inText, ...conditions.flatMap(({ subject }) => attributeIn(subject))],
    tags: conditions.flatMap(({ subject, test }) => (subject.kind === 'tags' ? tagsIn(test) : [])),
  });
  const isMissing = (name: string) => missing.attributes.includes(name);
  const unknown = [
    ...unknownFields(placeholders),
    ...inText.filter(isMissing).map((name) => `attrs.${name}`),
  ];
  const attributes = missing.attributes.filter((name) => !inText.includes(name));
  return [
    ...(unknown.length > 0 ? [warning('unknown_placeholder', unknown)] : []),
    ...(missing.tags.length > 0 ? [warning('unknown_tag', missing.tags)] : []),
    ...(attributes.length > 0 ? [warning('unknown_attribute', attributes)] : []),
  ];
}

function conditionsOf(filter: Filter): { subject: Subject; test: Test }[] {
  if ('all' in filter) return filter.all.flatMap(conditionsOf);
  if ('any' in filter) return filter.any.flatMap(conditionsOf);
  return [filter];
}

const attributeIn = (subject: Subject): string[] =>
  subject.kind === 'value' && subject.record === 'attrs' ? [subject.name] : [];

const tagsIn = (test: Test): string[] => (test.lookup === 'in' ? [...test.values] : []);

function night({ checked, found: { groups } }: Intended, now: Date): Warning[] {
  const moment = checked.due_at ?? now;
  const sleeping = groups.filter(({ timezone }) => timezone !== null && isNight(timezone, moment));
  const asleep = recipientsIn(sleeping);
  return asleep > 0 ? [warning('night', [], asleep)] : [];
}
