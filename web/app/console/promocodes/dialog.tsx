import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';

/** A button with a dialog. The content is created anew at each opening. */
export function Dialog({
  label,
  title,
  variant = 'default',
  size,
  children,
}: {
  label: string;
  title: string;
  variant?: 'filled' | 'default';
  size?: string;
  children: (close: () => void) => ReactNode;
}) {
  const [opened, { open, close }] = useDisclosure();
  const t = useTexts(common);
  return (
    <>
      <Button variant={variant} size={size} onClick={open}>
        {label}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': t.close }}
      >
        {children(close)}
      </Modal>
    </>
  );
}
