import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  ApplicationCreate,
  ApplicationSecret,
} from '../../../../src/people/console/applications/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { CopyText, SecretText } from '../../shared/page-parts.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { ApplicationForm } from './form.tsx';
import { useGrantLink } from './grant-link.ts';
import { applicationTexts } from './texts.ts';

type Registered = { form: ApplicationCreate; answer: ApplicationSecret };

export function RegisterButton() {
  const t = useTexts(applicationTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [registered, setRegistered] = useState<Registered | null>(null);
  async function register(form: ApplicationCreate) {
    setRegistered({ form, answer: await api.post<ApplicationSecret>('applications/', form) });
    await queries.invalidateQueries({ queryKey: [project, 'applications'] });
  }
  function end() {
    close();
    setRegistered(null);
  }
  return (
    <>
      <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
        {t.register}
      </Button>
      <Modal
        opened={opened}
        onClose={end}
        title={registered ? t.registered(registered.form.name) : t.register}
        closeButtonProps={{ 'aria-label': words.close }}
        closeOnClickOutside={registered === null}
        size="lg"
      >
        {registered ? (
          <Credentials registered={registered} onDone={end} />
        ) : (
          <ApplicationForm
            initial={{ name: '', redirect_uris: [] }}
            action={t.register}
            quiet
            onSend={register}
            onCancel={end}
          />
        )}
      </Modal>
    </>
  );
}

function Credentials({ registered, onDone }: { registered: Registered; onDone: () => void }) {
  const t = useTexts(applicationTexts);
  const words = useTexts(common);
  const { uuid, client_secret } = registered.answer;
  const link = useGrantLink()(uuid, registered.form.redirect_uris[0] ?? '');
  return (
    <Stack role="status">
      <Text fw={600}>{t.clientId}</Text>
      <Group gap="xs" wrap="nowrap">
        <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {uuid}
        </Code>
        <CopyText value={uuid} />
      </Group>
      <Text fw={600}>{t.secret}</Text>
      <SecretText value={client_secret} />
      <Text fw={600}>{t.grantLink}</Text>
      <Group gap="xs" wrap="nowrap">
        <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {link}
        </Code>
        <CopyText value={link} />
      </Group>
      <Text size="sm">{t.grantHint}</Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>{words.close}</Button>
      </Group>
    </Stack>
  );
}
