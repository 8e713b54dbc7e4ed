import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { CredentialsRefused, ForPeople, refusalOf } from '../../contract/failure.ts';
import { words } from '../../contract/guide.ts';
import { callGateway } from './gateway.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const State = Type.Object({ stateInstance: Type.String() });

export const check: Check<Settings> = {
  needs: ['instance_id', 'api_token'],
  async ask(settings, client) {
    const state = await asked(settings, client, 'getStateInstance');
    if (!Value.Check(State, state)) return { facts: [] };
    if (state.stateInstance !== 'authorized') {
      throw new ForPeople(`The instance is ${state.stateInstance}: connect the account first.`);
    }
    return { facts: [{ label: words('Instance', 'Инстанс'), value: state.stateInstance }] };
  },
};

const Known = Type.Object({ webhookUrl: Type.String() });

export async function standing(settings: Settings, address: string, client: Client): Promise<Standing> {
  const state = await asked(settings, client, 'getStateInstance');
  if (Value.Check(State, state) && state.stateInstance === 'notAuthorized') {
    throw new CredentialsRefused('The account is no longer connected to the instance: scan its code again.');
  }
  const known = await asked(settings, client, 'getSettings');
  return { isRegistered: Value.Check(Known, known) ? known.webhookUrl === address : null };
}

async function asked(settings: Settings, client: Client, method: string): Promise<object> {
  const answer = await callGateway(client, settings, { method });
  if (answer.ok) return answer.body;
  throw refusalOf(`The gateway refused: ${answer.detail}`, errorOf(answer));
}
