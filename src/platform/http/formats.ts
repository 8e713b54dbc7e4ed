import { Format } from 'typebox/format';
import { isUuid } from '../id.ts';
import { isLoopback } from '../loopback.ts';
import { momentOf } from '../moment.ts';
import { normalizePhone } from '../phone.ts';
import { messages } from '../problem.ts';

const dateTimePattern =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/;

/**
 * Whether the text is ISO 8601 with a zone, and a real date. The moment must fit PostgreSQL and `Date`: years 1 to
 * 9999, in UTC too. A leap second (`:60`) is refused, because neither supports it.
 */
export function isDateTime(text: string): boolean {
  const [, year, month, day] = dateTimePattern.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  const utcYear = momentOf(text).getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999;
}

/**
 * The calendar repeats every 400 years. The shift avoids the special meaning that `Date` gives to years below 100.
 */
function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/** An address with a name and a password is refused, because both would appear in logs and answers. */
const hasUserinfo = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && (url.username !== '' || url.password !== '');
};

/**
 * Whether the text is http or https with a host. `URL` alone is too lenient: it drops tabs and spaces, and adds
 * missing slashes.
 */
export function isWebUrl(text: string): boolean {
  return !hasUserinfo(text) && /^https?:\/\/[^\s/?#\\][^\s\\]*$/i.test(text) && URL.canParse(text);
}

/** Whether a secret may be sent to this redirect address: https, or this very machine. */
export function isPrivateWay(text: string): boolean {
  const { protocol, hostname } = URL.parse(text) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname ?? ''));
}

const formats: Record<string, { test: (text: string) => boolean; message: string }> = {
  uuid: { test: isUuid, message: messages.uuid },
  uri: { test: isWebUrl, message: messages.url },
  phone: { test: (text) => normalizePhone(text) !== null, message: messages.phone },
  'date-time': {
    test: isDateTime,
    message:
      'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
  },
};

for (const [name, { test }] of Object.entries(formats)) Format.Set(name, test);

export const hasFormat = (format: string, text: string): boolean => formats[format]?.test(text) ?? true;

export const formatMessage = (format: string, text = ''): string => {
  if (format === 'uri' && hasUserinfo(text)) return messages.userinfo;
  return formats[format]?.message ?? 'Enter a valid value.';
};
