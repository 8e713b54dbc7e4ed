import { findTopicNamed } from '../clients/consent/topics-store.ts';
import { groupsNamedIn } from '../clients/filters/promocode-names.ts';
import { findGroupsNamed } from '../clients/promocodes/reservation-store.ts';
import { checkTemplateVariables } from '../messaging/templates/rules.ts';
import { findTemplate, type Template } from '../messaging/templates/store.ts';
import type { Context } from '../platform/context.ts';
import { type FieldMessages, Invalid } from '../platform/problem.ts';
import { findScenarioByName, findVersion, type ScenarioRow } from '../scenarios/store.ts';
import { needsTemplate, saysByNode } from './rules.ts';
import type { ContentType, MailingCreate, TemplateVariables } from './schema.ts';

/** The objects that the content names, as the project has them. */
export type Found = {
  scenario: ScenarioRow | null;
  template: Template | null;
  topicId: string | null;
  variables: TemplateVariables;
};

/** The database numbers scenarios with integers. */
const greatestId = 2 ** 31 - 1;

type Needs = Pick<Context, 'sql'>;

/**
 * Checks that the project has the objects that the content names. Throws `Invalid` with everything that is missing.
 * @param hasColumns Whether each recipient has values, as the lines of a file do.
 */
export async function checkContent(
  context: Needs,
  projectId: string,
  type: ContentType,
  body: MailingCreate,
  hasColumns: boolean,
): Promise<Found> {
  const problems: FieldMessages = {};
  const scenario = saysByNode(type, body) ? await scenarioOf(context, projectId, body, problems) : null;
  const template = needsTemplate(type)
    ? await templateOf(context, projectId, body, hasColumns, problems)
    : null;
  const topicId = await topicOf(context, projectId, body, problems);
  await checkGroups(context, projectId, body.text ?? '', problems);
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
  return { scenario, template, topicId, variables: variablesOf(body) };
}

async function scenarioOf(
  { sql }: Needs,
  projectId: string,
  { node, node_name }: MailingCreate,
  problems: FieldMessages,
): Promise<ScenarioRow | null> {
  if (typeof node === 'number') {
    const found = node <= greatestId ? await findVersion(sql, projectId, { id: node }, null) : null;
    if (!found) problems.node = [`Object with id=${node} does not exist.`];
    return found;
  }
  const found = await findScenarioByName(sql, projectId, node_name ?? '');
  if (!found) problems.node_name = [`Object with name=${node_name} does not exist.`];
  return found;
}

async function templateOf(
  { sql }: Needs,
  projectId: string,
  body: MailingCreate,
  hasColumns: boolean,
  problems: FieldMessages,
): Promise<Template | null> {
  const pid = body.template_whatsapp ?? '';
  const found = await findTemplate(sql, projectId, pid);
  if (found?.approval !== 'approved') {
    problems.template_whatsapp = [`Object with pid=${pid} does not exist.`];
    return null;
  }
  const hasFile = hasColumns || Boolean(body.customer_filter_file ?? body.phone_numbers_file);
  const given = Object.fromEntries(
    Object.entries(body.template_variables ?? {}).map(([name, { type, value }]) => [name, { type, value }]),
  );
  const complaint = checkTemplateVariables(found, given, hasFile);
  if (complaint) problems.template_variables = complaint;
  return found;
}

async function topicOf(
  { sql }: Needs,
  projectId: string,
  { topic }: MailingCreate,
  problems: FieldMessages,
): Promise<string | null> {
  if (!topic) return null;
  const found = await findTopicNamed(sql, projectId, topic);
  if (!found) problems.topic = [`Object with name=${topic} does not exist.`];
  return found?.id ?? null;
}

async function checkGroups(
  { sql }: Needs,
  projectId: string,
  text: string,
  problems: FieldMessages,
): Promise<void> {
  const names = groupsNamedIn(text);
  if (names.length === 0) return;
  const found = new Set((await findGroupsNamed(sql, projectId, names)).map(({ name }) => name));
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) {
    problems.text = missing.map((name) => `There is no group of promo codes called "${name}".`);
  }
}

/** The stored form, after `checkTemplateVariables`. */
const variablesOf = ({ template_variables }: MailingCreate): TemplateVariables =>
  Object.fromEntries(
    Object.entries(template_variables ?? {}).map(
      ([name, { type, value }]): [string, TemplateVariables[string]] => [
        name,
        type === 'FILE' ? { type } : { type, value: value ?? '' },
      ],
    ),
  );
