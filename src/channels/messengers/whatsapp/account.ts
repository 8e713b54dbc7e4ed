import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Client, DraftTemplate, FileRequest, ProviderTemplate } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { given } from '../../shared/answer.ts';
import { callGraph, type GraphAnswer, type GraphCall, type GraphRefused } from '../../shared/graph.ts';
import { type Settings, usualRoot } from './settings.ts';
import { contentOfParts, TemplatePart } from './template-parts.ts';

/** Meta does not know the id, or it is that of something else: of the account, for example. */
const isWrongId = ({ code, subcode, detail }: GraphRefused): boolean =>
  code === 100 && (subcode === 33 || detail.includes('nonexisting field'));

/** Asks for the number. Throws text for people if its id is wrong. */
export async function askForNumber(settings: Settings, client: Client): Promise<GraphAnswer> {
  const query = { fields: 'display_phone_number,verified_name' };
  const call: GraphCall = { method: 'GET', path: settings.phone_number_id, query };
  const answer = await callGraph(client, settings, usualRoot, call);
  if (answer.ok || !isWrongId(answer)) return answer;
  throw new ForPeople(`phone_number_id is no number that this token reaches. WhatsApp: ${answer.detail}`);
}

/**
 * Subscribes the app to the account, which checks the token. A person enters the address in the app's webhook
 * settings.
 */
export async function learn(settings: Settings, client: Client): Promise<object> {
  await askForNumber(settings, client);
  const path = `${settings.waba_id}/subscribed_apps`;
  given(await callGraph(client, settings, usualRoot, { method: 'POST', path }), 'WhatsApp');
  return {};
}

const Listed = Type.Object({
  name: Type.String(),
  language: Type.String(),
  status: Type.String(),
  rejected_reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  components: Type.Optional(Type.Array(TemplatePart)),
});

const TemplatePage = Type.Object({
  data: Type.Array(Listed),
  paging: Type.Optional(
    Type.Object({
      next: Type.Optional(Type.String()),
      cursors: Type.Optional(Type.Object({ after: Type.Optional(Type.String()) })),
    }),
  ),
});

const mostPages = 100;

export async function listTemplates(settings: Settings, client: Client): Promise<ProviderTemplate[]> {
  const templates: ProviderTemplate[] = [];
  let after: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const query = {
      fields: 'name,language,status,rejected_reason,components',
      limit: '100',
      ...(after && { after }),
    };
    const path = `${settings.waba_id}/message_templates`;
    const body = given(
      await callGraph(client, settings, usualRoot, { method: 'GET', path, query }),
      'WhatsApp',
    );
    if (!Value.Check(TemplatePage, body)) throw new ForPeople('WhatsApp gave no list of templates.');
    templates.push(...body.data.map(templateOf));
    after = body.paging?.next === undefined ? undefined : body.paging.cursors?.after;
    if (after === undefined) return templates;
  }
  return templates;
}

function templateOf(listed: Static<typeof Listed>): ProviderTemplate {
  const { name, language, status, rejected_reason, components = [] } = listed;
  const { unfillable, ...content } = contentOfParts(components);
  const decision = approvalOf(status, rejected_reason ?? 'NONE');
  const isRefused = unfillable !== undefined && decision.approval !== 'rejected';
  return {
    name,
    language,
    ...content,
    ...(isRefused ? { approval: 'rejected', reason: unfillable } : decision),
  };
}

/** A template may also be paused or disabled later: then its status is the reason. */
function approvalOf(status: string, reason: string): Pick<ProviderTemplate, 'approval' | 'reason'> {
  if (status === 'APPROVED') return { approval: 'approved' };
  if (status === 'PENDING' || status === 'IN_APPEAL') return { approval: 'pending' };
  return { approval: 'rejected', reason: reason === 'NONE' ? status : reason };
}

const categories = { marketing: 'MARKETING', utility: 'UTILITY' } as const;

/** Meta numbers its variables, or names all of them. */
export async function submitTemplate(
  { name, language, category, body, examples, buttons }: DraftTemplate,
  settings: Settings,
  client: Client,
): Promise<void> {
  const isNumbered = examples.every((example) => /^\d+$/.test(example.name));
  const example = isNumbered
    ? { body_text: [examples.map(({ value }) => value)] }
    : {
        body_text_named_params: examples.map(({ name: param_name, value }) => ({
          param_name,
          example: value,
        })),
      };
  const components = [
    { type: 'BODY', text: body, ...(examples.length > 0 && { example }) },
    ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map(buttonOf) }] : []),
  ];
  given(
    await callGraph(client, settings, usualRoot, {
      method: 'POST',
      path: `${settings.waba_id}/message_templates`,
      body: {
        name,
        language,
        category: categories[category],
        ...(!isNumbered && { parameter_format: 'NAMED' }),
        components,
      },
    }),
    'WhatsApp',
  );
}

const buttonOf = ({ text, url }: DraftTemplate['buttons'][number]): object =>
  url === undefined ? { type: 'QUICK_REPLY', text } : { type: 'URL', text, url };

const FoundMedia = Type.Object({ url: Type.String({ minLength: 1 }) });

/** The address expires after five minutes, and requires the token. */
export async function locateFile(
  reference: string,
  settings: Settings,
  client: Client,
): Promise<FileRequest> {
  const path = encodeURIComponent(reference);
  const body = given(await callGraph(client, settings, usualRoot, { method: 'GET', path }), 'WhatsApp');
  if (!Value.Check(FoundMedia, body)) throw new ForPeople('WhatsApp named no address of the file.');
  return { url: body.url, headers: { authorization: `Bearer ${settings.access_token}` } };
}
