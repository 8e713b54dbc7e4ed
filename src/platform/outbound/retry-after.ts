const SECONDS = /^\d{1,9}(\.\d+)?$/;

/**
 * The milliseconds that a `Retry-After` header asks to wait. Null without a readable header. The header is a number
 * of seconds or a date (RFC 9110, section 10.2.3). A date in the past asks for no wait.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Math.ceil(Number(text) * 1000);
  const moment = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : Math.max(0, moment - now.getTime());
}
