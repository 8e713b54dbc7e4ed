import { createHmac } from 'node:crypto';
import type { Answered } from '../events.ts';
import type { ApiAnswer } from '../http-api.ts';

/** The common parts of Meta's messengers. */

type More = { details?: string; subcode?: number };

/** The form of a Graph API refusal. */
export const graphError = (
  status: number,
  code: number,
  message: string,
  { details, subcode }: More = {},
): ApiAnswer => ({
  status,
  body: {
    error: {
      message,
      type: 'OAuthException',
      code,
      ...(subcode !== undefined && { error_subcode: subcode }),
      ...(details && { error_data: { details } }),
      fbtrace_id: 'A1',
    },
  },
});

/** Meta escapes non-ASCII characters, and signs the escaped bytes. */
export const escaped = (body: object): string =>
  JSON.stringify(body).replaceAll(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const signed = (appSecret: string, body: string | Buffer): { 'x-hub-signature-256': string } => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
});

/** Verifies that an address is the app's, as Meta does when it is entered. */
export async function verifyAddress(address: string, verifyToken: string): Promise<Answered> {
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': verifyToken,
    'hub.challenge': '1158201444',
  });
  const answer = await fetch(`${address}?${query}`);
  return { status: answer.status, text: await answer.text() };
}
