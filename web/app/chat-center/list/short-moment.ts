import { useMemo } from 'react';
import { useLanguage } from '../../shared/language.tsx';

const dayMs = 86_400_000;

/** The time for today, the weekday for this week, otherwise the date: short enough for a corner. */
export function useShortMoment(): (at: string) => string {
  const { language } = useLanguage();
  return useMemo(() => {
    const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' });
    const weekday = new Intl.DateTimeFormat(language, { weekday: 'short' });
    const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
    return (given) => {
      const at = new Date(given);
      const now = new Date();
      if (at.toDateString() === now.toDateString()) return time.format(at);
      return (now.getTime() - at.getTime() < 6 * dayMs ? weekday : day).format(at);
    };
  }, [language]);
}
