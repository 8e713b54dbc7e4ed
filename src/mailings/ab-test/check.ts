import { isDeepStrictEqual } from 'node:util';
import { groupsNamedIn } from '../../clients/filters/promocode-names.ts';
import type { Context } from '../../platform/context.ts';
import { type FieldMessages, Invalid, invalid } from '../../platform/problem.ts';
import { checkContent } from '../check-content.ts';
import { contentRow } from '../content-row.ts';
import { checkRules, saysByNode } from '../rules.ts';
import type { ContentType, MailingCreate } from '../schema.ts';
import { type AbTest, type AbTestCreate, sharesOf } from './schema.ts';

type Variant = AbTestCreate['variants'][number];

/**
 * Checks the other contents of a mailing as its own. They have one content type, and so
 * reach the same clients. Throws `Invalid`.
 */
export async function checkAbTest(
  context: Pick<Context, 'sql'>,
  projectId: string,
  type: ContentType,
  body: MailingCreate,
  { variants, sample = null }: AbTestCreate,
  hasColumns: boolean,
): Promise<AbTest> {
  if (body.regular_cron) throw invalid('ab_test', 'A mailing with a schedule has no A/B test.');
  const [first = 0] = sharesOf({ variants });
  if (first < 1) throw invalid('ab_test', 'The shares of the other variants may sum up to at most 99.');
  const checked: AbTest['variants'] = [];
  const problems: FieldMessages = {};
  for (const [index, variant] of variants.entries()) {
    try {
      checked.push(await checkVariant(context, projectId, type, body, variant, hasColumns));
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      problems[index] = error.fields;
    }
  }
  if (Object.keys(problems).length > 0) throw new Invalid({ ab_test: { variants: problems } });
  return { variants: checked, sample };
}

async function checkVariant(
  context: Pick<Context, 'sql'>,
  projectId: string,
  type: ContentType,
  body: MailingCreate,
  { share, ...content }: Variant,
  hasColumns: boolean,
): Promise<AbTest['variants'][number]> {
  const own = { ...withoutContent(body), ...content, content_type: type };
  checkRules(own);
  if (saysByNode(type, own) !== saysByNode(type, body)) {
    throw invalid('node', 'Either all variants are scenarios, or none.');
  }
  // Codes are reserved before anybody draws a variant.
  if (!isDeepStrictEqual(groupsIn(own), groupsIn(body))) {
    throw invalid('text', 'All variants take promo codes of the same groups.');
  }
  const found = await checkContent(context, projectId, type, own, hasColumns);
  return { share, ...(await contentRow(context.sql, projectId, own, found)) };
}

const groupsIn = ({ text }: Pick<MailingCreate, 'text'>): Set<string> => new Set(groupsNamedIn(text ?? ''));

const withoutContent = ({
  text: _text,
  node: _node,
  node_name: _name,
  node_get_params: _params,
  template_whatsapp: _template,
  template_variables: _variables,
  ...rest
}: MailingCreate): MailingCreate => rest;
