import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { type Outbound, OutboundFailed } from '../../../platform/outbound/outbound.ts';
import type { SendAttempt } from '../../contract/adapter.ts';
import { Unsent } from '../../contract/failure.ts';
import { fetchFile, formOf, unfit } from '../../shared/file.ts';
import { callOk, type OkCall } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const MOST_MIB = 20;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Odnoklassniki requires a few seconds between an upload and its message. */
const PROCESSING_MS = 2_000;

const Server = Type.Object({
  url: Type.String({ minLength: 1 }),
  token: Type.String({ minLength: 1 }),
});

/** Odnoklassniki itself fetches only pictures. Returns the token that names the file. Throws `Unsent`. */
export async function upload(
  url: string,
  settings: Settings,
  http: Outbound,
  { deadline: signal, now }: SendAttempt,
): Promise<string> {
  const file = await fetchFile(http, url, { mostMiB: MOST_MIB, signal });
  const call: OkCall = { method: 'GET', path: 'fileUploadUrl', query: { type: 'FILE' }, signal, now };
  const answer = await callOk(http, settings, call);
  if (!answer.ok) throw new Unsent(errorOf(answer));
  const server = answer.body;
  if (!Value.Check(Server, server)) throw unfit('Odnoklassniki named no upload server.');
  const { status } = await http.request({
    url: server.url,
    method: 'POST',
    ...formOf('file', file),
    maxResponseBytes: MAX_ANSWER_BYTES,
    signal,
  });
  const detail = `The upload server of Odnoklassniki answered ${status}.`;
  if (status >= 500 || status === 429)
    throw new Unsent({ code: 'temporary', mayHaveBeenSent: false, detail });
  if (status >= 300) throw unfit(detail);
  await pause(PROCESSING_MS, undefined, { signal }).catch(() => {
    throw new OutboundFailed('timeout', false);
  });
  return server.token;
}
