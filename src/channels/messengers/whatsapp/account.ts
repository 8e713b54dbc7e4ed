import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, FileRequest, ProviderTemplate } from '../../contract/adapter.ts';
import { given } from '../../shared/answer.ts';
import { callGraph } from '../../shared/graph.ts';
import { type Settings, usualRoot } from './settings.ts';

/**
 * Subscribes the app to the account, which checks the token. A person enters the address in the app's webhook
 * settings.
 */
export async function learn(settings: Settings, client: Client): Promise<object> {
  const path = `${settings.waba_id}/subscribed_apps`;
  given(await callGraph(client, settings, usualRoot, { method: 'POST', path }), 'WhatsApp');
  return {};
}

const TemplatePage = Type.Object({
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      language: Type.String(),
      status: Type.String(),
      components: Type.Optional(
        Type.Array(Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) })),
      ),
    }),
  ),
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
    const query = { fields: 'name,language,status,components', limit: '100', ...(after && { after }) };
    const path = `${settings.waba_id}/message_templates`;
    const body = given(
      await callGraph(client, settings, usualRoot, { method: 'GET', path, query }),
      'WhatsApp',
    );
    if (!Value.Check(TemplatePage, body)) throw new Error('WhatsApp gave no list of templates.');
    for (const { name, language, status, components = [] } of body.data) {
      const text = components.find(({ type }) => type.toUpperCase() === 'BODY')?.text ?? '';
      templates.push({ name, language, body: text, approval: approvalOf(status) });
    }
    after = body.paging?.next === undefined ? undefined : body.paging.cursors?.after;
    if (after === undefined) return templates;
  }
  return templates;
}

function approvalOf(status: string): ProviderTemplate['approval'] {
  if (status === 'APPROVED') return 'approved';
  return status === 'PENDING' || status === 'IN_APPEAL' ? 'pending' : 'rejected';
}

const FoundMedia = Type.Object({ url: Type.String({ minLength: 1 }) });

/** The address expires after five minutes, and requires the token. */
export async function locateFile(
  reference: string,
  settings: Settings,
  client: Client,
): Promise<FileRequest> {
  const path = encodeURIComponent(reference);
  const body = given(await callGraph(client, settings, usualRoot, { method: 'GET', path }), 'WhatsApp');
  if (!Value.Check(FoundMedia, body)) throw new Error('WhatsApp named no address of the file.');
  return { url: body.url, headers: { authorization: `Bearer ${settings.access_token}` } };
}
