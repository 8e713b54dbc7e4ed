import { useMemo } from 'react';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { conversationTexts } from './texts.ts';

const dayMs = 86_400_000;

/** The day of a timestamp in the reader’s language and time zone. */
export function useDayName(): (at: string) => string {
  const t = useTexts(conversationTexts);
  const { day } = useFormat();
  return useMemo(
    () => (at) => {
      const date = new Date(at).toDateString();
      if (date === new Date().toDateString()) return t.today;
      if (date === new Date(Date.now() - dayMs).toDateString()) return t.yesterday;
      return day(at);
    },
    [t, day],
  );
}

/** Whether a day separator belongs between these two timestamps. */
export const isNewDay = (before: string | undefined, at: string): boolean =>
  before === undefined || new Date(before).toDateString() !== new Date(at).toDateString();
