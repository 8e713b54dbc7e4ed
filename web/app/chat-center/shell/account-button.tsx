import { ActionIcon } from '@mantine/core';
import { IconUserCircle } from '@tabler/icons-react';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { shellTexts } from './texts.ts';

const AccountMenu = lazy(() => import('./account-menu.tsx'));

/** The menu is loaded when it is first opened, because starting work does not need it. */
export function AccountButton(props: ComponentProps<typeof AccountMenu>) {
  const t = useTexts(shellTexts);
  const [isWanted, setIsWanted] = useState(false);
  const button = (
    <ActionIcon variant="subtle" size="lg" aria-label={t.you} onClick={() => setIsWanted(true)}>
      <IconUserCircle aria-hidden />
    </ActionIcon>
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <AccountMenu {...props} />
    </Suspense>
  ) : (
    button
  );
}
