import { useEffect } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { useCounts } from '../chats.ts';
import { shellTexts } from './texts.ts';

/** Shows in the tab title how many chats wait for this operator. */
export function useTitle(): void {
  const t = useTexts(shellTexts);
  const { data: counts } = useCounts();
  const waiting = counts ? counts.mine_unread + counts.waiting : 0;
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) ${t.title}` : t.title;
  }, [waiting, t]);
}
