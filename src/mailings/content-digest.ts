import { hash } from 'node:crypto';
import type { Said } from './ab-test/schema.ts';
import type { NewMailing } from './store.ts';

type Content = Said & Pick<NewMailing, 'content_type' | 'ab_test'>;

/**
 * Equal for mailings that say the same in all of their variants. The name, the audience, the shares and the time do not
 * matter.
 * @param versions The published version of the scenario of each variant. Null without one.
 */
export function digestOf(content: Content, versions: readonly (number | null)[]): Buffer {
  const others = content.ab_test?.variants ?? [];
  const said = [content, ...others].map((variant, place) =>
    saidBy(content.content_type, variant, versions[place] ?? null),
  );
  // Without a test it is the digest of older versions.
  return hash('sha256', JSON.stringify(others.length === 0 ? said[0] : said), 'buffer');
}

function saidBy(contentType: string, variant: Said, version: number | null): unknown[] {
  const { text, node_id, node_get_params, template_whatsapp, template_body } = variant;
  const variables = Object.entries(variant.template_variables).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return [contentType, text, node_id, version, node_get_params, template_whatsapp, template_body, variables];
}
