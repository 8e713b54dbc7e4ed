import { Modal, Stack, Text } from '@mantine/core';
import { useTexts } from '../../shared/language.tsx';
import { SecretText } from '../../shared/page-parts.tsx';
import { common } from '../../shared/texts.ts';
import { webhooks } from './texts.ts';

/** Shows a new signing secret once; null shows nothing. */
export function SecretModal({ secret, onClose }: { secret: string | null; onClose(): void }) {
  const t = useTexts(webhooks);
  const words = useTexts(common);
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={t.secretTitle}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <Stack>
        <Text>{t.secretText}</Text>
        {secret !== null && <SecretText value={secret} note={t.secretOnce} />}
      </Stack>
    </Modal>
  );
}
