import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { fromJson, newGroup } from './filter.ts';
import { newId } from './id.ts';

/** A draft with the content of another mailing. The start time and pasted identifiers are not copied. */
export function draftFrom(
  { mailing, has_identifiers, topic, ab_test }: MailingDetail,
  copyOf: (name: string) => string,
): Draft {
  const empty = emptyDraft();
  const saved = savedIn(mailing);
  const filters = saved === null ? mailing.filter_chats : mailing.filter_used;
  const filter = filters === null ? newGroup() : fromJson(filters);
  return {
    ...empty,
    name: copyOf(mailing.name).slice(0, 80),
    kind: mailing.content_type,
    elsewhere: mailing.node === null ? 'text' : 'node',
    text: mailing.text ?? '',
    node: mailing.node === null ? '' : String(mailing.node),
    node_get_params: mailing.node_get_params.map(({ name, value }) => ({ id: newId(), name, value })),
    template_whatsapp: mailing.template_whatsapp ?? '',
    template_variables: variablesFrom(mailing.template_variables),
    audience: audienceFrom(mailing, has_identifiers),
    saved: saved ?? '',
    filter: filter ?? newGroup(),
    filter_chats: filter === null ? JSON.stringify(filters, null, 2) : null,
    customer_filter_field: mailing.customer_filter_field ?? empty.customer_filter_field,
    customer_filter_file: mailing.customer_filter_file ?? '',
    phone_numbers_file: mailing.phone_numbers_file ?? '',
    when: mailing.regular_cron === null ? 'now' : 'schedule',
    regular_cron: mailing.regular_cron ?? empty.regular_cron,
    origin: mailing.origin,
    topic: topic ?? '',
    ...testFrom(ab_test, empty),
  };
}

/** The variants and the sample of another mailing. */
function testFrom(test: MailingDetail['ab_test'], empty: Draft): Partial<Draft> {
  if (test === null) return {};
  const { variants, sample = null } = test;
  const inHours = sample !== null && sample.wait_minutes % 60 === 0;
  return {
    tests: true,
    variants: variants.map((variant) => ({
      id: newId(),
      share: variant.share,
      text: variant.text ?? '',
      node: variant.node == null ? '' : String(variant.node),
      template_whatsapp: variant.template_whatsapp ?? '',
      template_variables: variablesFrom(variant.template_variables),
    })),
    samples: sample !== null,
    sample: sample
      ? {
          percent: sample.percent,
          measure: sample.measure,
          otherwise: sample.otherwise,
          wait: inHours ? sample.wait_minutes / 60 : sample.wait_minutes,
          unit: inHours ? 'hours' : 'minutes',
        }
      : empty.sample,
  };
}

/** The mailing itself, to be changed: with its name and its time. */
export function withTimeOf(detail: MailingDetail): Draft {
  const draft = draftFrom(detail, (name) => name);
  const { planned_at } = detail.mailing;
  if (planned_at === null) return draft;
  return { ...draft, when: draft.when === 'now' ? 'later' : draft.when, planned_at: localOf(planned_at) };
}

/** The value of a date-time field, in the reader’s time zone. */
function localOf(moment: string): string {
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function audienceFrom(mailing: MailingDetail['mailing'], hasIdentifiers: boolean): Draft['audience'] {
  if (mailing.phone_numbers_file !== null) return 'phones';
  if (mailing.customer_filter_file !== null) return 'clients';
  if (hasIdentifiers) return 'list';
  return savedIn(mailing) === null ? 'filter' : 'saved';
}

/** The saved audience that a mailing names. Null without one. */
export function savedIn({ filter_chats }: MailingDetail['mailing']): string | null {
  const name = filter_chats?.audience;
  return typeof name === 'string' ? name : null;
}

const variablesFrom = (variables: object | null | undefined): Draft['template_variables'] =>
  Object.fromEntries(
    Object.entries(variables ?? {}).map(([name, variable]) => [name, variableFrom(variable)]),
  );

function variableFrom(variable: unknown): Draft['template_variables'][string] {
  const value =
    typeof variable === 'object' && variable !== null && 'value' in variable ? variable.value : null;
  return value === null ? { type: 'FILE', value: '' } : { type: 'GLOBAL', value: String(value) };
}
