import Type, { type Static } from 'typebox';
import { Choice, described, Integer, Nullable } from '../../platform/http/fields.ts';
import { MailingCreate } from '../schema.ts';
import type { NewMailing } from '../store.ts';
import { decidingMeasures, mostVariants } from './limits.ts';

const longestWaitMinutes = 30 * 24 * 60;

const { text, node, node_name, node_get_params, template_whatsapp, template_variables } =
  MailingCreate.properties;

const Variant = Type.Object({
  share: described('In percent. The mailing’s own content gets what the others leave.', Integer(1, 99)),
  text,
  node,
  node_name,
  node_get_params,
  template_whatsapp,
  template_variables,
});

const Sample = Type.Object({
  percent: described('The part of the recipients who get a variant by chance first.', Integer(1, 90)),
  measure: described('The reaction that decides what the rest gets.', Choice(decidingMeasures)),
  wait_minutes: described('From the last message of the sample on.', Integer(1, longestWaitMinutes)),
  otherwise: described(
    'If the best variants show no difference: the rest gets the `first` of them, or waits until a person chooses (`ask`).',
    Choice(['first', 'ask']),
  ),
});

export type Sample = Static<typeof Sample>;

/** The mailing's own content is the first variant. These are the others. */
export const AbTestCreate = Type.Object(
  {
    variants: Type.Array(Variant, { minItems: 1, maxItems: mostVariants - 1 }),
    sample: Type.Optional(Nullable(Sample)),
  },
  { title: 'MailingAbTest' },
);

export type AbTestCreate = Static<typeof AbTestCreate>;

export const TestedMailingCreate = Type.Object(
  {
    ...MailingCreate.properties,
    ab_test: Type.Optional(
      described(
        'Other variants of the content, which parts of the recipients get by chance. Not with `regular_cron`.',
        Nullable(AbTestCreate),
      ),
    ),
  },
  {
    title: 'MailingCreate',
    examples: [
      {
        name: 'Spring sale',
        text: 'Hello {{name}}!',
        filter_chats: { all: [{ type: 'profile_tag', tag: 'vip' }] },
        planned_at: '2099-11-20T09:00:00Z',
      },
    ],
  },
);

export type TestedMailingCreate = Static<typeof TestedMailingCreate>;

/** The columns of `mailings` that say something. */
export type Said = Pick<
  NewMailing,
  | 'text'
  | 'links'
  | 'node_id'
  | 'node_name'
  | 'node_get_params'
  | 'template_whatsapp'
  | 'template_body'
  | 'template_variables'
>;

/** The stored form, in `mailings.ab_test`. Its first variant is the second of the mailing. */
export type AbTest = { variants: (Said & { share: number })[]; sample: Sample | null };

/** The shares of all variants in percent, the first included. */
export const sharesOf = ({ variants }: { variants: readonly { share: number }[] }): number[] => {
  const others = variants.map(({ share }) => share);
  return [100 - others.reduce((sum, share) => sum + share, 0), ...others];
};
