import type { Api } from '../../shared/api.ts';

/** A key for `postOnce`. Works without a secure origin, where `randomUUID` is missing. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** A POST that creates one object, however often it is sent with this key. */
export async function postOnce<Made>(api: Api, path: string, body: object, key: string): Promise<Made> {
  const response = await api.open('POST', path, {
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** A POST that can be aborted when its response is no longer needed. */
export async function ask<Answer>(
  api: Api,
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await api.open('POST', path, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  return response.json();
}
