import type { FilledTemplate } from '../channels/contract/adapter.ts';
import type { Facts } from '../clients/filters/facts.ts';
import { namedFact, textIn } from '../clients/filters/named-fact.ts';
import { groupNamedBy } from '../clients/filters/promocode-names.ts';
import {
  fillTemplate,
  problemOfValue,
  renderTemplate,
  templateValues,
  type Variables,
} from '../messaging/templates/rules.ts';
import { fillLink, piecesOf } from '../platform/links.ts';
import { fill, longestFilled, placeholdersOf } from '../platform/placeholders.ts';

/** The content of a mailing for all recipients. Columns of `mailings`. */
export type MailingContent = {
  text: string | null;
  /** The links in the text that are replaced by ours. */
  links: readonly string[];
  template_body: string | null;
  /** The template as its provider has it now. Null when the template no longer exists. */
  template?: { name: string; language: string; variables: readonly string[] } | null;
  template_variables: Variables;
};

/** A recipient: the `content` of their message, and the facts about them if the text needs some. */
export type Recipient = {
  variables?: { readonly [name: string]: string };
  promocodes?: { readonly [group: string]: string };
  facts: Facts | null;
};

export type Rendered = { type: 'text' | 'whatsapp_template'; text: string; template?: FilledTemplate };

/** A message cannot be made for this recipient. The text is for people. */
export class CannotRender extends Error {
  /** `bad_content`: the provider would refuse it. */
  readonly code: 'unsupported' | 'bad_content';
  constructor(message: string, code: 'unsupported' | 'bad_content' = 'unsupported') {
    super(message);
    this.code = code;
  }
}

/** Whether the text needs facts about its recipient. */
export const asksForFacts = (text: string): boolean =>
  placeholdersOf(text).some((name) => groupNamedBy(name) === null);

/** @param linkFor Returns the replacement of a link. `index` is its place among the mailing's links. */
export function renderText(
  { text, links }: MailingContent,
  recipient: Recipient,
  linkFor: (index: number) => string,
): Rendered {
  const valueFor = valuesOf(recipient);
  let place = -1;
  let said = '';
  for (const piece of piecesOf(text ?? '')) {
    if (piece.kind === 'link') place += 1;
    if (piece.kind === 'text') said += fill(piece.text, valueFor);
    else said += place < links.length ? linkFor(place) : fillLink(piece.text, valueFor);
    if (said.length > longestFilled) break;
  }
  return { type: 'text', text: saying(said) };
}

/** The body with its variables. A variable of a file must be in the recipient's line. */
export function renderTemplateBody(
  { template_body, template, template_variables }: MailingContent,
  { variables = {} }: Recipient,
): Rendered {
  const values = templateValues(template_variables, variables);
  for (const name of new Set([...Object.keys(values), ...(template?.variables ?? [])])) {
    checkValue(name, textIn(values, name));
  }
  const body = template_body ?? '';
  return {
    type: 'whatsapp_template',
    text: saying(renderTemplate({ body }, values)),
    ...(template && { template: fillTemplate({ ...template, body }, values) }),
  };
}

function checkValue(name: string, value: string | null): void {
  if (value === null || value.trim() === '') {
    throw new CannotRender(`There is no value for the template's variable "${name}".`);
  }
  const problem = problemOfValue(name, value);
  if (problem !== null)
    throw new CannotRender(`The template's variable "${name}": ${problem}`, 'bad_content');
}

/** The value of a placeholder: a column of the recipient's line, their promo code, or a fact about them. */
export const valuesOf =
  ({ variables = {}, promocodes = {}, facts }: Recipient) =>
  (name: string): string | null => {
    const column = own(variables, name);
    if (column !== undefined) return column;
    const group = groupNamedBy(name);
    if (group === null) return facts && namedFact(facts, name);
    const code = own(promocodes, group);
    if (code === undefined) throw new CannotRender(`There is no promo code of the group "${group}".`);
    return code;
  };

const own = (values: { readonly [name: string]: string }, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

function saying(text: string): string {
  if (text.trim() === '') throw new CannotRender('The text is empty for this recipient.');
  if (text.length > longestFilled) throw new CannotRender('The text is too long for this recipient.');
  return text;
}
