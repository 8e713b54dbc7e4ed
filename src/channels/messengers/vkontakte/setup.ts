import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { type Answered, given } from '../../shared/answer.ts';
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
  if (!Value.Check(Confirmation, found)) throw new ForPeople('VK gave no confirmation code.');
  return { confirmation: found.code };
}

/** Adds our address to the community, or changes the existing one, and chooses its events. */
export async function setup(settings: Settings, address: string, client: Client): Promise<Partial<Settings>> {
  const { server_id } = settings;
  if (server_id !== undefined && (await changeServer({ ...settings, server_id }, address, client)))
    return { server_id };
  const added = await addServer(settings, address, client);
  given(await chooseEvents({ ...settings, server_id: added }, client), 'VK');
  return { server_id: added };
}

type Known = Settings & { server_id: string };

/** Returns false if VK does not know the address any more. */
async function changeServer(settings: Known, url: string, client: Client): Promise<boolean> {
  const { server_id } = settings;
  // The secret is changed last: after a failure VK still has the one that the channel keeps.
  if (!isKnown(await chooseEvents(settings, client))) return false;
  const parameters = { ...serverAt(settings, url), server_id };
  return isKnown(await callVk(client, settings, { method: 'groups.editCallbackServer', parameters }));
}

/** VK refuses an unknown address with a code of its own. Another server's answer says nothing. */
function isKnown(answer: Answered): boolean {
  if (!answer.ok && answer.code !== null) return false;
  given(answer, 'VK');
  return true;
}

async function addServer(settings: Settings, url: string, client: Client): Promise<string> {
  const method = 'groups.addCallbackServer';
  const parameters = serverAt(settings, url);
  const added = given(await callVk(client, settings, { method, parameters }), 'VK');
  if (!Value.Check(Added, added)) throw new ForPeople('VK named no callback server.');
  return String(added.server_id);
}

const serverAt = ({ group_id, secret = '' }: Settings, url: string) => ({
  group_id,
  url,
  title,
  secret_key: secret,
});

function chooseEvents(settings: Known, client: Client): Promise<Answered> {
  const { group_id, server_id, api_version = usualVersion } = settings;
  const wanted = Object.fromEntries(heard.map((name) => [name, '1']));
  const parameters = { group_id, server_id, api_version, ...wanted };
  return callVk(client, settings, { method: 'groups.setCallbackSettings', parameters });
}
