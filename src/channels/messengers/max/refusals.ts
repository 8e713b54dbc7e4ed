import type { SendError, SendErrorCode } from '../../contract/errors.ts';
import type { Refused } from './api.ts';

type Final = Exclude<SendErrorCode, 'rate_limited' | 'temporary'>;
type Refusal = { status: number; code?: string; says?: RegExp; means: Final };

/** The meaning of Max's final refusals: the first row whose status, code and words match. */
const refusals: readonly Refusal[] = [
  { status: 400, says: /(dialog|chat|user)\S* ?not\.? ?found/i, means: 'invalid_recipient' },
  { status: 400, means: 'bad_content' },
  { status: 401, means: 'auth' },
  { status: 403, code: 'verify.token', means: 'auth' },
  { status: 403, says: /not\.? ?found/i, means: 'invalid_recipient' },
  { status: 403, means: 'blocked' },
  { status: 404, means: 'invalid_recipient' },
  { status: 405, means: 'bad_content' },
  { status: 413, means: 'bad_content' },
];

const DEFAULT_PAUSE_MS = 1_000;

/** Max is still processing an uploaded file. */
export const isUnready = ({ code }: Pick<Refused, 'code'>): boolean => code === 'attachment.not.ready';

/** The error of a refused call for its message. If Max is in trouble, it may have sent the message. */
export function errorOf({ status, code, detail, retryAfterMs }: Refused): SendError {
  const pause = retryAfterMs === null ? {} : { retryAfterMs };
  if (status === 429) return { code: 'rate_limited', retryAfterMs: DEFAULT_PAUSE_MS, ...pause, detail };
  if (isUnready({ code })) return { code: 'temporary', mayHaveBeenSent: false, ...pause, detail };
  const refusal = code === null ? undefined : refusals.find((row) => fits(row, { status, code, detail }));
  if (refusal) return { code: refusal.means, detail };
  return { code: 'temporary', mayHaveBeenSent: true, ...pause, detail };
}

const fits = (row: Refusal, { status, code, detail }: Pick<Refused, 'status' | 'code' | 'detail'>): boolean =>
  row.status === status &&
  (row.code === undefined || row.code === code) &&
  (row.says === undefined || row.says.test(`${code} ${detail}`));
