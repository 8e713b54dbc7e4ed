import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { fetchFile, formOf, UnfitFile } from '../../shared/file.ts';
import { callMax, given, maxAnswer } from './api.ts';
import type { Settings } from './settings.ts';

const MAX_ANSWER_BYTES = 64 * 1024;

const Server = Type.Object({ url: Type.String({ minLength: 1 }) });
const Uploaded = Type.Object({ token: Type.String({ minLength: 1 }) });

type Upload = { url: string; signal: AbortSignal; now: Date };

/** Max itself fetches only pictures. Returns the token that names the file in a message. */
export async function upload(
  http: Outbound,
  settings: Settings,
  { url, signal, now }: Upload,
): Promise<string> {
  const file = await fetchFile(http, url, signal);
  const call = { method: 'POST', path: 'uploads', query: { type: 'file' }, signal, now } as const;
  const server = given(await callMax(http, settings, call));
  if (!Value.Check(Server, server)) throw new UnfitFile('Max named no upload server.');
  const answer = await http.request({
    url: server.url,
    method: 'POST',
    ...(await formOf('data', file)),
    ...(settings.ca && { ca: settings.ca }),
    maxResponseBytes: MAX_ANSWER_BYTES,
    signal,
  });
  const uploaded = given(maxAnswer(answer, settings.access_token, now));
  if (!Value.Check(Uploaded, uploaded)) throw new UnfitFile('Max did not take the file.');
  return uploaded.token;
}
