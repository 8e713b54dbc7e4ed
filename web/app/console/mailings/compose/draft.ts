import type { AbTestCreate, Sample } from '../../../../../src/mailings/ab-test/schema.ts';
import type { MailingDraft } from '../../../../../src/people/console/mailings/draft-schema.ts';
import type { JsonValue } from '../../../../../src/platform/http/fields.ts';
import { type Group, newGroup, toJson } from './filter.ts';
import { newId } from './id.ts';

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
  audience: 'filter' | 'saved' | 'list' | 'clients' | 'phones';
  /** The name of a saved audience. */
  saved: string;
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
  /** The moment to finish by, as `planned_at`. Empty for none. */
  finish_by: string;
  origin: 'system' | 'chat_center';
  /** The name of the topic. Empty for none. */
  topic: string;
  /** Whether other variants are tried. */
  tests: boolean;
  /** From the second on. */
  variants: VariantDraft[];
  /** Whether a sample decides what the rest gets. */
  samples: boolean;
  sample: {
    percent: number;
    measure: Sample['measure'];
    wait: number;
    unit: 'minutes' | 'hours';
    otherwise: Sample['otherwise'];
  };
};

/** The content of another variant. Its kind is the mailing’s. */
export type VariantDraft = Pick<Draft, 'text' | 'node' | 'template_whatsapp' | 'template_variables'> & {
  id: number;
  share: number;
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
  saved: '',
  filter: newGroup(),
  filter_chats: null,
  customer_filter_field: 'PHONE_NUMBER',
  customer_filter_array: '',
  customer_filter_file: '',
  phone_numbers_file: '',
  when: 'now',
  planned_at: '',
  regular_cron: '0 9 * * 1',
  finish_by: '',
  origin: 'system',
  topic: '',
  tests: false,
  variants: [],
  samples: true,
  sample: { percent: 20, measure: 'read', wait: 4, unit: 'hours', otherwise: 'ask' },
});

export const newVariant = (share: number): VariantDraft => ({
  id: newId(),
  share,
  text: '',
  node: '',
  template_whatsapp: '',
  template_variables: {},
});

/** Why a test cannot start as it is. Null if it can. */
export function problemOfTest(draft: Draft): 'schedule' | 'shares' | 'empty' | null {
  if (!draft.tests) return null;
  if (draft.when === 'schedule') return 'schedule';
  if (firstShare(draft) < 1) return 'shares';
  return draft.variants.some((variant) => isEmpty({ ...draft, ...variant })) ? 'empty' : null;
}

const isEmpty = (draft: Draft): boolean =>
  (saysText(draft) && draft.text.trim() === '') ||
  (saysScenario(draft) && draft.node === '') ||
  (saysTemplate(draft) && draft.template_whatsapp === '');

/** What the other variants leave to the first one, in percent. */
export const firstShare = ({ variants }: Pick<Draft, 'variants'>): number =>
  100 - variants.reduce((sum, { share }) => sum + share, 0);

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

/** The filter in the format of the API. Throws `SyntaxError` for text that is not JSON. */
export const filterOf = ({ filter, filter_chats }: Draft): { [name: string]: JsonValue } =>
  filter_chats === null ? toJson(filter) : JSON.parse(filter_chats);

/** The audience in the format of the API, without who left the topic. Throws `SyntaxError` for a filter that is not JSON. */
export const audienceOf = (draft: Draft): MailingDraft => ({
  ...chosenBy(draft),
  ...(draft.topic !== '' && { topic: draft.topic }),
});

function chosenBy(draft: Draft): MailingDraft {
  switch (draft.audience) {
    case 'filter':
      return { filter_chats: filterOf(draft) };
    case 'saved':
      return draft.saved === '' ? {} : { filter_chats: { audience: draft.saved } };
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
  ...saidOf(draft),
});

const saidOf = (draft: Draft) => ({
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
  ...(draft.when !== 'schedule' && draft.finish_by !== '' && { finish_by: momentOf(draft.finish_by) }),
  origin: draft.origin,
  ...(draft.tests && draft.variants.length > 0 && { ab_test: abTestOf(draft) }),
});

const abTestOf = (draft: Draft): AbTestCreate => {
  const { wait, unit, ...sample } = draft.sample;
  return {
    variants: draft.variants.map(({ id: _id, share, ...said }) => ({
      share,
      ...saidOf({ ...draft, ...said }),
    })),
    sample: draft.samples ? { ...sample, wait_minutes: unit === 'hours' ? wait * 60 : wait } : null,
  };
};
