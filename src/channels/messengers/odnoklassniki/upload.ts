import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { type Outbound, OutboundFailed } from '../../../platform/outbound/outbound.ts';
import { fetchFile, formOf, UnfitFile } from '../../shared/file.ts';
import { callOk, given, OkRefused } from './api.ts';
import type { Settings } from './settings.ts';

const MAX_ANSWER_BYTES = 64 * 1024;

/** Odnoklassniki requires a few seconds between an upload and its message. */
const PROCESSING_MS = 2_000;

const Server = Type.Object({
  url: Type.String({ minLength: 1 }),
  token: Type.String({ minLength: 1 }),
});

type Upload = { url: string; signal: AbortSignal; now: Date };

/** Odnoklassniki itself fetches only pictures. Returns the token that names the file in a message. */
export async function upload(
  http: Outbound,
  settings: Settings,
  { url, signal, now }: Upload,
): Promise<string> {
  const file = await fetchFile(http, url, signal);
  const call = { method: 'GET', path: 'fileUploadUrl', query: { type: 'FILE' }, signal, now } as const;
  const server = given(await callOk(http, settings, call));
  if (!Value.Check(Server, server)) throw new UnfitFile('Odnoklassniki named no upload server.');
  const { status } = await http.request({
    url: server.url,
    method: 'POST',
    ...(await formOf('file', file)),
    maxResponseBytes: MAX_ANSWER_BYTES,
    signal,
  });
  const detail = `The upload server of Odnoklassniki answered ${status}.`;
  if (status >= 500 || status === 429)
    throw new OkRefused({ ok: false, status, code: null, detail, retryAfterMs: null });
  if (status >= 300) throw new UnfitFile(detail);
  await pause(PROCESSING_MS, undefined, { signal }).catch(() => {
    throw new OutboundFailed('timeout', false);
  });
  return server.token;
}
