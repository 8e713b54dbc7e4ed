import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useTexts } from '../shared/language.tsx';
import { common } from '../shared/texts.ts';

/** Shows a temporary notice at the top, because the message field is at the bottom. */
export function useNotice(): (message: string, kind?: 'news' | 'problem') => void {
  const { close } = useTexts(common);
  return useCallback(
    (message, kind = 'news') => {
      notifications.show({
        message,
        position: 'top-center',
        ...(kind === 'problem' && { color: 'red', role: 'alert' }),
        closeButtonProps: { 'aria-label': close },
      });
    },
    [close],
  );
}
