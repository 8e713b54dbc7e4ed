import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { fromJson, newGroup } from './filter.ts';
import { newId } from './id.ts';

/** A draft with the content of another mailing. The start time and pasted identifiers are not copied. */
export function draftFrom(
  { mailing, has_identifiers }: MailingDetail,
  copyOf: (name: string) => string,
): Draft {
  const empty = emptyDraft();
  const filter = mailing.filter_chats === null ? newGroup() : fromJson(mailing.filter_chats);
  return {
    ...empty,
    name: copyOf(mailing.name).slice(0, 80),
    kind: mailing.content_type,
    elsewhere: mailing.node === null ? 'text' : 'node',
    text: mailing.text ?? '',
    node: mailing.node === null ? '' : String(mailing.node),
    node_get_params: mailing.node_get_params.map(({ name, value }) => ({ id: newId(), name, value })),
    template_whatsapp: mailing.template_whatsapp ?? '',
    template_variables: Object.fromEntries(
      Object.entries(mailing.template_variables ?? {}).map(([name, variable]) => [
        name,
        variableFrom(variable),
      ]),
    ),
    audience: audienceFrom(mailing, has_identifiers),
    filter: filter ?? newGroup(),
    filter_chats: filter === null ? JSON.stringify(mailing.filter_chats, null, 2) : null,
    customer_filter_field: mailing.customer_filter_field ?? empty.customer_filter_field,
    customer_filter_file: mailing.customer_filter_file ?? '',
    phone_numbers_file: mailing.phone_numbers_file ?? '',
    when: mailing.regular_cron === null ? 'now' : 'schedule',
    regular_cron: mailing.regular_cron ?? empty.regular_cron,
    origin: mailing.origin,
  };
}

function audienceFrom(mailing: MailingDetail['mailing'], hasIdentifiers: boolean): Draft['audience'] {
  if (mailing.phone_numbers_file !== null) return 'phones';
  if (mailing.customer_filter_file !== null) return 'clients';
  return hasIdentifiers ? 'list' : 'filter';
}

function variableFrom(variable: unknown): Draft['template_variables'][string] {
  const value =
    typeof variable === 'object' && variable !== null && 'value' in variable ? variable.value : null;
  return value === null ? { type: 'FILE', value: '' } : { type: 'GLOBAL', value: String(value) };
}
