import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { given } from '../../shared/answer.ts';
import { callOzon } from './api.ts';
import { learn } from './learn.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

export const check: Check<Settings> = {
  needs: ['client_id', 'api_key'],
  async ask(settings, client) {
    await learn(settings, client);
    return { facts: [] };
  },
};

const Roles = Type.Object({ expires_at: Type.Optional(Type.String()) });

/** Ozon does not say which address it calls. */
export async function standing(settings: Settings, _address: string, client: Client): Promise<Standing> {
  const answer = await callOzon(client, settings, { path: '/v1/roles', body: {} });
  const roles = given(answer, 'Ozon', errorOf);
  const expires = Value.Check(Roles, roles) ? Date.parse(roles.expires_at ?? '') : Number.NaN;
  return { isRegistered: null, ...(expires > 0 && { lapsesAt: new Date(expires) }) };
}
