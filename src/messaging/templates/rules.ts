import type { FilledTemplate } from '../../channels/contract/adapter.ts';
import { textIn } from '../../clients/filters/named-fact.ts';
import type { JSONValue } from '../../platform/database/database.ts';
import { fill, placeholdersOf } from '../../platform/placeholders.ts';
import { type FieldMessages, messages } from '../../platform/problem.ts';
import type { Template } from './store.ts';

type Names = { readonly variables: readonly string[] };

type Values = { readonly [name: string]: JSONValue | undefined };

/** The reason why no provider takes this value of a variable, for people. Null if there is none. */
export function problemOfValue(name: string, value: string): string | null {
  if (value.trim() === '') return messages.blank;
  if (/[\r\n\t]| {5}/.test(value)) return notPlain;
  return isMedia(name) && !isAddress(value) ? messages.url : null;
}

/** Whether the value is the address of a file. */
export const isMedia = (name: string): boolean => name.startsWith('media.');

const notPlain = 'A value has one line, without tabs and without more than four spaces in a row.';

const isAddress = (value: string): boolean => /^https?:$/.test(URL.parse(value)?.protocol ?? '');

/** The problems of the values for a template, by its variables. Undefined when there are none. */
export function checkValues({ variables }: Names, given: Values): FieldMessages | undefined {
  const problems = variables.flatMap((name): [string, string[]][] => {
    const value = textIn(given, name);
    const problem = value === null ? messages.required : problemOfValue(name, value);
    return problem === null ? [] : [[name, [problem]]];
  });
  return problems.length > 0 ? Object.fromEntries(problems) : undefined;
}

/** The variables of a body. Numbered ones come in numeric order, as providers count them. */
export function variablesOf(body: string): string[] {
  const names = placeholdersOf(body);
  return names.every((name) => /^\d+$/.test(name)) ? names.sort((a, b) => Number(a) - Number(b)) : names;
}

/** A template with its values, for the provider. A mailing has its own copy of the body. */
export function fillTemplate(
  { name, language, body, variables }: Pick<Template, 'name' | 'language' | 'body'> & Names,
  values: Values,
): FilledTemplate {
  const names = [...new Set([...variablesOf(body), ...variables])];
  return {
    name,
    language,
    variables: names.map((variable) => ({ name: variable, value: textIn(values, variable) ?? '' })),
  };
}

/** The body with its variables filled in. */
export const renderTemplate = ({ body }: Pick<Template, 'body'>, values: Values): string =>
  fill(body, (name) => textIn(values, name));

/** The source of a mailing's variable. Source: docs/contract.md, section 5. */
export type Variable = { type: 'GLOBAL'; value: JSONValue } | { type: 'FILE' };

export type Variables = { readonly [name: string]: Variable };

/**
 * The problems of a mailing's variables, by their names. Undefined when there are none. Each variable of the template
 * must be given. A `GLOBAL` one needs a value that providers take. A `FILE` one needs a file, whose columns are known only when it is
 * read.
 */
export function checkTemplateVariables(
  { variables: needed }: Names,
  given: { readonly [name: string]: { type: Variable['type']; value?: JSONValue } },
  hasFile: boolean,
): FieldMessages | undefined {
  const problems = new Map<string, FieldMessages[string]>();
  for (const name of needed.filter((name) => !Object.hasOwn(given, name))) {
    problems.set(name, [messages.required]);
  }
  for (const [name, { type, value }] of Object.entries(given)) {
    const problem = type === 'GLOBAL' ? problemOfGlobal(name, value) : null;
    if (problem !== null) problems.set(name, { value: [problem] });
    if (type === 'FILE' && !hasFile) problems.set(name, { type: ['FILE needs a file of recipients.'] });
  }
  return problems.size > 0 ? Object.fromEntries(problems) : undefined;
}

function problemOfGlobal(name: string, value: JSONValue | undefined): string | null {
  if (value === undefined) return messages.required;
  const text = textIn({ value }, 'value');
  return text === null ? messages.null : problemOfValue(name, text);
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
