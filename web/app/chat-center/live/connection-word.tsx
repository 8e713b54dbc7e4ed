import { Button, Group, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { frameSession } from '../../shared/page.ts';
import { useDesk } from '../desk.tsx';
import { useHeld } from '../kept.ts';
import { shellTexts } from '../shell/texts.ts';

/** A short interruption is not shown. */
const patienceMs = 1_500;

/** Shows an unobtrusive note while the live stream is interrupted. */
export function ConnectionWord() {
  const t = useTexts(shellTexts);
  const state = useHeld(useDesk().connection);
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    setIsLate(false);
    const timer = state === 'lost' ? setTimeout(() => setIsLate(true), patienceMs) : undefined;
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <Group gap={6} wrap="nowrap" role="status" miw={0}>
      {state === 'lost' && isLate && (
        <>
          <IconPlugConnectedX size={16} aria-hidden style={{ flexShrink: 0 }} />
          <Text size="sm" truncate>
            {t.lost}
          </Text>
        </>
      )}
      {state === 'refused' && (
        <>
          <Text size="sm">{frameSession ? t.reopen : t.refused}</Text>
          {!frameSession && (
            <Button size="compact-sm" onClick={() => location.reload()}>
              {t.signIn}
            </Button>
          )}
        </>
      )}
    </Group>
  );
}
