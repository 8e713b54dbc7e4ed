import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../contract/adapter.ts';
import { given } from '../../shared/answer.ts';
import { callVk } from './api.ts';
import { type Settings, usualVersion } from './settings.ts';

const Confirmation = Type.Object({ code: Type.String({ minLength: 1 }) });
const Added = Type.Object({ server_id: Type.Union([Type.Integer(), Type.String()]) });

const title = 'Patchbay';

const heard = ['message_new', 'message_event', 'message_read', 'message_allow', 'message_deny'];

/** The confirmation text that VK will request from our address. */
export async function learn(settings: Settings, client: Client): Promise<Partial<Settings>> {
  const parameters = { group_id: settings.group_id };
  const method = 'groups.getCallbackConfirmationCode';
  const found = given(await callVk(client, settings, { method, parameters }), 'VK');
  if (!Value.Check(Confirmation, found)) throw new Error('VK gave no confirmation code.');
  return { confirmation: found.code };
}

/** Adds our address to the community, or changes the existing one, and chooses its events. */
export async function setup(settings: Settings, address: string, client: Client): Promise<Partial<Settings>> {
  const { group_id, api_version = usualVersion } = settings;
  const server_id = await serverOf(settings, address, client);
  const wanted = Object.fromEntries(heard.map((name) => [name, '1']));
  const parameters = { group_id, server_id, api_version, ...wanted };
  given(await callVk(client, settings, { method: 'groups.setCallbackSettings', parameters }), 'VK');
  return { server_id };
}

async function serverOf(settings: Settings, url: string, client: Client): Promise<string> {
  const { group_id, secret = '', server_id } = settings;
  const server = { group_id, url, title, secret_key: secret };
  if (server_id !== undefined) {
    const method = 'groups.editCallbackServer';
    const changed = await callVk(client, settings, { method, parameters: { ...server, server_id } });
    // The address may have been removed: then it is added again.
    if (changed.ok) return server_id;
  }
  const method = 'groups.addCallbackServer';
  const added = given(await callVk(client, settings, { method, parameters: server }), 'VK');
  if (!Value.Check(Added, added)) throw new Error('VK named no callback server.');
  return String(added.server_id);
}
