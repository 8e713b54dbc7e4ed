import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useAction } from './action.ts';
import { useTexts } from './language.tsx';
import { common } from './texts.ts';

/** A button for an irreversible action: it explains the effect and asks for confirmation. */
export function ConfirmButton({
  label,
  title,
  children,
  onConfirm,
  color = 'red',
  size,
}: {
  label: string;
  title: string;
  /** The effect of the action. */
  children: ReactNode;
  onConfirm(): Promise<unknown>;
  color?: string;
  size?: string;
}) {
  const [opened, { open, close }] = useDisclosure();
  const t = useTexts(common);
  const { busy, run } = useAction(async () => {
    await onConfirm();
    close();
  });
  return (
    <>
      <Button variant="default" c={color} size={size} onClick={open}>
        {label}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        centered
        closeButtonProps={{ 'aria-label': t.close }}
      >
        <Stack>
          <Text component="div">{children}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {t.cancel}
            </Button>
            <Button color={color} loading={busy} onClick={run}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
