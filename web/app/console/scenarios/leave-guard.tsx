import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { editTexts } from './edit-texts.ts';

/** Asks for confirmation before unsaved changes are left. */
export function LeaveGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const t = useTexts(editTexts);
  const words = useTexts(common);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={t.leaveTitle}
      centered
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <Stack>
        <Text>{t.leaveText}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => proceed?.()}>
            {t.leave}
          </Button>
          <Button onClick={() => reset?.()} data-autofocus>
            {t.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
