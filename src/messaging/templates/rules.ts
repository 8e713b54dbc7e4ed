import type { FilledTemplate } from '../../channels/contract/adapter.ts';
import { textIn } from '../../clients/filters/named-fact.ts';
import type { JSONValue } from '../../platform/database/database.ts';
import { fill, placeholdersOf } from '../../platform/placeholders.ts';
import { type FieldMessages, messages } from '../../platform/problem.ts';
import type { Template } from './store.ts';

type Values = { readonly [name: string]: JSONValue | undefined };

/** The names of the template's variables without a value. An empty text is a value. */
export const missingVariables = ({ variables }: Pick<Template, 'variables'>, given: Values): string[] =>
  variables.filter((name) => textIn(given, name) === null);

/** The variables of a body. Numbered ones come in numeric order, as providers count them. */
export function variablesOf(body: string): string[] {
  const names = placeholdersOf(body);
  return names.every((name) => /^\d+$/.test(name)) ? names.sort((a, b) => Number(a) - Number(b)) : names;
}

/** A template with its values, for the provider. */
export const fillTemplate = (
  { name, language, body }: Pick<Template, 'name' | 'language' | 'body'>,
  values: Values,
): FilledTemplate => ({
  name,
  language,
  variables: variablesOf(body).map((variable) => ({ name: variable, value: textIn(values, variable) ?? '' })),
});

/** The body with its variables filled in. */
export const renderTemplate = ({ body }: Pick<Template, 'body'>, values: Values): string =>
  fill(body, (name) => textIn(values, name));

/** The source of a mailing's variable. Source: docs/contract.md, section 5. */
export type Variable = { type: 'GLOBAL'; value: JSONValue } | { type: 'FILE' };

export type Variables = { readonly [name: string]: Variable };

/**
 * The problems of a mailing's variables, by their names. Undefined when there are none. Each variable of the template
 * must be given. A `GLOBAL` one needs a value. A `FILE` one needs a file, whose columns are known only when it is
 * read.
 */
export function checkTemplateVariables(
  { variables: needed }: Pick<Template, 'variables'>,
  given: { readonly [name: string]: { type: Variable['type']; value?: JSONValue } },
  hasFile: boolean,
): FieldMessages | undefined {
  const problems = new Map<string, FieldMessages[string]>();
  for (const name of needed.filter((name) => !Object.hasOwn(given, name))) {
    problems.set(name, [messages.required]);
  }
  for (const [name, { type, value }] of Object.entries(given)) {
    if (type === 'GLOBAL' && value === undefined) problems.set(name, { value: [messages.required] });
    if (type === 'GLOBAL' && value === null) problems.set(name, { value: [messages.null] });
    if (type === 'FILE' && !hasFile) problems.set(name, { type: ['FILE needs a file of recipients.'] });
  }
  return problems.size > 0 ? Object.fromEntries(problems) : undefined;
}

/**
 * The variables' values for one recipient. A `FILE` variable has the value of the column of that name. An unknown
 * column gives null.
 */
export const templateValues = (
  variables: Variables,
  fileColumns: { readonly [name: string]: string },
): { [name: string]: JSONValue } =>
  Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [
      name,
      variable.type === 'GLOBAL' ? variable.value : textIn(fileColumns, name),
    ]),
  );
