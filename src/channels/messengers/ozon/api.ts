import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { type Answered, isPage, refusedBy } from '../../shared/answer.ts';
import { type ApiAnswer, type Attempt, callApi } from '../../shared/call.ts';
import { type Settings, usualRoot } from './settings.ts';

type OzonCall = Attempt & { path: string; body: object };

const maybeText = Type.Optional(Type.String());

/** Some methods wrap the failure in an object. */
const Failure = Type.Union([
  Type.Object({ error: Type.Object({ message: maybeText }) }),
  Type.Object({ code: Type.Unknown(), message: maybeText }),
]);

export const credentials = ({ client_id, api_key }: Settings): Record<string, string> => ({
  'client-id': client_id,
  'api-key': api_key,
});

/** Throws what `Outbound.request` throws. */
export async function callOzon(
  http: Outbound,
  settings: Settings,
  { path, body, signal, now = new Date(0) }: OzonCall,
): Promise<Answered> {
  const answer = await callApi(http, {
    url: `${apiRootOf(settings.api_root, usualRoot)}${path}`,
    method: 'POST',
    headers: credentials(settings),
    json: body,
    signal,
  });
  return ozonAnswer(answer, settings.api_key, now);
}

/** Its codes are those of HTTP. */
function ozonAnswer(answer: ApiAnswer, key: string, now: Date): Answered {
  const { status, value: body } = answer;
  const failure = Value.Check(Failure, body) ? body : null;
  if (status >= 200 && status < 300 && body !== undefined && !failure) return { ok: true, body };
  const words = failure && ('error' in failure ? failure.error.message : failure.message);
  return refusedBy(answer, { by: 'Ozon', code: isPage(answer) ? null : status, words, secrets: [key], now });
}
