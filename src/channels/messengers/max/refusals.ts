import type { SendError } from '../../contract/errors.ts';
import { type Final, inTrouble, slowedDown } from '../../shared/refusals.ts';
import type { MaxRefused } from './api.ts';

type Refusal = { status: number; code?: string; says?: RegExp; means: Final };

/** The meaning of Max's final refusals: the first row whose status, code and words match. */
const refusals: readonly Refusal[] = [
  { status: 400, says: /(dialog|chat|user)\S{0,60} ?not\.? ?found/i, means: 'invalid_recipient' },
  { status: 400, means: 'bad_content' },
  { status: 401, means: 'auth' },
  { status: 403, code: 'verify.token', means: 'auth' },
  { status: 403, says: /not\.? ?found/i, means: 'invalid_recipient' },
  { status: 403, means: 'blocked' },
  { status: 404, means: 'invalid_recipient' },
  { status: 405, means: 'bad_content' },
  { status: 413, means: 'bad_content' },
];

/** Max is still processing an uploaded file. */
export const isUnready = ({ code }: Pick<MaxRefused, 'code'>): boolean => code === 'attachment.not.ready';

/** The error of a refused call for its message. If Max is in trouble, it may have sent the message. */
export function errorOf(refused: MaxRefused): SendError {
  if (refused.status === 429) return slowedDown(refused);
  if (isUnready(refused)) return inTrouble(refused, false);
  const refusal = refused.code === null ? undefined : refusals.find((row) => fits(row, refused));
  return refusal ? { code: refusal.means, detail: refused.detail } : inTrouble(refused);
}

const fits = (row: Refusal, { status, code, detail }: MaxRefused): boolean =>
  row.status === status &&
  (row.code === undefined || row.code === code) &&
  (row.says === undefined || row.says.test(`${code} ${detail}`));
