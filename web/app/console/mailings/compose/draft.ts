import type { MailingDraft } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { type Group, newGroup, toJson } from './filter.ts';

/** The values on the page. Names match the fields of the API where these exist. */
export type Draft = {
  name: string;
  kind: 'TEXT' | 'NODE' | 'TEMPLATE_WHATSAPP' | 'MIXED';
  /** For a mixed mailing: the content for recipients on other platforms. */
  elsewhere: 'text' | 'node';
  text: string;
  node: string;
  node_get_params: { id: number; name: string; value: string }[];
  template_whatsapp: string;
  template_variables: Record<string, { type: 'GLOBAL' | 'FILE'; value: string }>;
  audience: 'filter' | 'list' | 'clients' | 'phones';
  filter: Group;
  /** The filter as typed JSON, or null while the builder is used. */
  filter_chats: string | null;
  customer_filter_field: 'UUID' | 'EXTERNAL_ID' | 'PHONE_NUMBER' | 'CHAT_UUID';
  /** One identifier per line. */
  customer_filter_array: string;
  customer_filter_file: string;
  phone_numbers_file: string;
  when: 'now' | 'later' | 'schedule';
  /** The value of a date-time field, in the reader’s time zone. */
  planned_at: string;
  regular_cron: string;
  origin: 'system' | 'chat_center';
};

export const emptyDraft = (): Draft => ({
  name: '',
  kind: 'TEXT',
  elsewhere: 'text',
  text: '',
  node: '',
  node_get_params: [],
  template_whatsapp: '',
  template_variables: {},
  audience: 'filter',
  filter: newGroup(),
  filter_chats: null,
  customer_filter_field: 'PHONE_NUMBER',
  customer_filter_array: '',
  customer_filter_file: '',
  phone_numbers_file: '',
  when: 'now',
  planned_at: '',
  regular_cron: '0 9 * * 1',
  origin: 'system',
});

export const saysText = ({ kind, elsewhere }: Draft): boolean =>
  kind === 'TEXT' || (kind === 'MIXED' && elsewhere === 'text');

export const saysScenario = ({ kind, elsewhere }: Draft): boolean =>
  kind === 'NODE' || (kind === 'MIXED' && elsewhere === 'node');

export const saysTemplate = ({ kind }: Draft): boolean => kind === 'TEMPLATE_WHATSAPP' || kind === 'MIXED';

export const identifiersIn = (text: string): string[] =>
  text
    .split(/[\n\r,;\t]+/)
    .map((identifier) => identifier.trim())
    .filter((identifier) => identifier !== '');

/** The audience in the format of the API. Throws `SyntaxError` for a filter that is not JSON. */
export function audienceOf(draft: Draft): MailingDraft {
  switch (draft.audience) {
    case 'filter':
      return {
        filter_chats: draft.filter_chats === null ? toJson(draft.filter) : JSON.parse(draft.filter_chats),
      };
    case 'list':
      return {
        customer_filter_field: draft.customer_filter_field,
        customer_filter_array: identifiersIn(draft.customer_filter_array),
      };
    case 'clients':
      return {
        customer_filter_field: draft.customer_filter_field,
        customer_filter_file: draft.customer_filter_file,
      };
    case 'phones':
      return { phone_numbers_file: draft.phone_numbers_file };
  }
}

export const contentOf = (draft: Draft): MailingDraft => ({
  content_type: draft.kind,
  ...(saysText(draft) && { text: draft.text }),
  ...(saysScenario(draft) && {
    ...(draft.node !== '' && { node: Number(draft.node) }),
    node_get_params: draft.node_get_params
      .filter(({ name }) => name !== '')
      .map(({ name, value }) => ({ name, value })),
  }),
  ...(saysTemplate(draft) && {
    template_whatsapp: draft.template_whatsapp,
    template_variables: Object.fromEntries(
      Object.entries(draft.template_variables).map(([name, { type, value }]) => [
        name,
        type === 'FILE' ? { type } : { type, value },
      ]),
    ),
  }),
});

/** Local time is converted to UTC. */
const momentOf = (local: string): string => new Date(local).toISOString();

/** The mailing in the format of the API. */
export const bodyOf = (draft: Draft): MailingDraft => ({
  name: draft.name,
  ...contentOf(draft),
  ...audienceOf(draft),
  ...(draft.when !== 'now' && draft.planned_at !== '' && { planned_at: momentOf(draft.planned_at) }),
  ...(draft.when === 'schedule' && { regular_cron: draft.regular_cron }),
  origin: draft.origin,
});
