import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BotKey, NewBotKey } from '../../../../src/people/console/bot-keys/schema.ts';
import { FormButtons, FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { SecretText } from '../../shared/page-parts.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { applicationTexts } from './texts.ts';

export function CreateKeyButton() {
  const t = useTexts(applicationTexts);
  const words = useTexts(common);
  const api = useApi();
  const [opened, { open, close }] = useDisclosure();
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  function end() {
    close();
    setMade(null);
  }
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
        {t.createKey}
      </Button>
      <Modal
        opened={opened}
        onClose={end}
        title={made ? t.keyMade(made.name) : t.createKey}
        closeButtonProps={{ 'aria-label': words.close }}
        closeOnClickOutside={made === null}
      >
        {made ? (
          <Stack role="status">
            <SecretText value={made.key} />
            <Group justify="flex-end">
              <Button onClick={end}>{words.close}</Button>
            </Group>
          </Stack>
        ) : (
          <NameForm
            initial=""
            action={t.createKey}
            onCancel={end}
            onSend={async (name) => {
              const { key } = await api.post<NewBotKey>('bot-keys/', { name });
              setMade({ name, key });
            }}
          />
        )}
      </Modal>
    </>
  );
}

export function RenameKeyButton({ botKey: { uuid, name } }: { botKey: BotKey }) {
  const t = useTexts(applicationTexts);
  const words = useTexts(common);
  const api = useApi();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open} aria-label={t.renameTitle(name)}>
        {t.rename}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t.renameTitle(name)}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <NameForm
          initial={name}
          action={words.save}
          onCancel={close}
          onSend={async (other) => {
            await api.patch(`bot-keys/${uuid}/`, { name: other });
            close();
          }}
        />
      </Modal>
    </>
  );
}

function NameForm({
  initial,
  action,
  onSend,
  onCancel,
}: {
  initial: string;
  action: string;
  onSend: (name: string) => Promise<void>;
  onCancel: () => void;
}) {
  const t = useTexts(applicationTexts);
  const project = useProjectId();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: initial } });
  const { busy, problem, submit } = useSubmit(form, async ({ name }: typeof form.values) => {
    await onSend(name);
    await queries.invalidateQueries({ queryKey: [project, 'bot-keys'] });
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label={t.keyName}
          description={t.keyNameHint}
          maxLength={255}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <FormProblem text={problem} />
        <FormButtons action={action} busy={busy} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
