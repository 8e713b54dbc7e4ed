import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { SendAttempt } from '../../contract/adapter.ts';
import { Unsent } from '../../contract/failure.ts';
import { withJson } from '../../shared/call.ts';
import { fetchFile, formOf, unfit } from '../../shared/file.ts';
import { callMax, type MaxAnswer, type MaxCall, maxAnswer } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const MOST_MIB = 20;
const MAX_ANSWER_BYTES = 64 * 1024;

const Server = Type.Object({ url: Type.String({ minLength: 1 }) });
const Uploaded = Type.Object({ token: Type.String({ minLength: 1 }) });

/** Max itself fetches only pictures. Returns the token that names the file. Throws `Unsent`. */
export async function upload(
  url: string,
  settings: Settings,
  http: Outbound,
  { deadline: signal, now }: SendAttempt,
): Promise<string> {
  const file = await fetchFile(http, url, { mostMiB: MOST_MIB, signal });
  const call: MaxCall = { method: 'POST', path: 'uploads', query: { type: 'file' }, signal, now };
  const server = dataIn(await callMax(http, settings, call));
  if (!Value.Check(Server, server)) throw unfit('Max named no upload server.');
  const answer = await http.request({
    url: server.url,
    method: 'POST',
    ...formOf('data', file),
    ...(settings.ca && { ca: settings.ca }),
    maxResponseBytes: MAX_ANSWER_BYTES,
    signal,
  });
  const uploaded = dataIn(maxAnswer(withJson(answer), settings.access_token, now));
  if (!Value.Check(Uploaded, uploaded)) throw unfit('Max did not take the file.');
  return uploaded.token;
}

function dataIn(answer: MaxAnswer): unknown {
  if (!answer.ok) throw new Unsent(errorOf(answer));
  return answer.body;
}
