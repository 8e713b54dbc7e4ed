import { useEffect, useState } from 'react';
import { useLanguage, useTexts } from '../../shared/language.tsx';
import { clientTexts } from './texts.ts';

const everyMs = 15_000;

/** The client's local time, which shows whether a call is appropriate now. */
export function LocalTime({ timezone }: { timezone: string }) {
  const t = useTexts(clientTexts);
  const { language } = useLanguage();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, []);
  const time = timeIn(timezone, language, now);
  return time === null ? null : t.localTime(time);
}

/** Null for a name that is newer than the browser. */
function timeIn(timeZone: string, language: string, now: Date): string | null {
  try {
    const format = new Intl.DateTimeFormat(language, {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
    return format.format(now);
  } catch {
    return null;
  }
}
