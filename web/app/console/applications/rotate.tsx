import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Application, ApplicationSecret } from '../../../../src/people/console/applications/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useTexts } from '../../shared/language.tsx';
import { SecretText } from '../../shared/page-parts.tsx';
import { common } from '../../shared/texts.ts';
import { useApi } from '../api.ts';
import { applicationTexts } from './texts.ts';

export function RotateButton({ application: { uuid, name } }: { application: Application }) {
  const t = useTexts(applicationTexts);
  const words = useTexts(common);
  const api = useApi();
  const [secret, setSecret] = useState<string | null>(null);
  async function rotate() {
    const answer = await api.post<ApplicationSecret>(`applications/${uuid}/secret/`);
    setSecret(answer.client_secret);
  }
  return (
    <>
      <ConfirmButton label={t.rotate} title={t.rotateTitle(name)} onConfirm={rotate} size="compact-sm">
        {t.rotateText}
      </ConfirmButton>
      <Modal
        opened={secret !== null}
        onClose={() => setSecret(null)}
        title={t.rotated(name)}
        closeButtonProps={{ 'aria-label': words.close }}
        closeOnClickOutside={false}
      >
        <Stack>
          <SecretText value={secret ?? ''} />
          <Group justify="flex-end">
            <Button onClick={() => setSecret(null)}>{words.close}</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
