import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  ProjectWebhookPut,
  ProjectWebhookSet,
  Webhook,
} from '../../../../src/people/console/webhooks/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { SecretModal } from './secret-modal.tsx';
import { webhooks } from './texts.ts';

const kinds = { MAILING_STATE: 'mailing.state', MAILING_REACTION: 'mailing.reaction' } as const;
const kindNames = ['MAILING_STATE', 'MAILING_REACTION'] as const;

/** Opens the form of the project's own webhook; null if none exists. */
export function ProjectWebhookButton({ webhook }: { webhook: Webhook | null }) {
  const t = useTexts(webhooks);
  const words = useTexts(common);
  const [opened, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <Button variant={webhook ? 'default' : 'filled'} onClick={open}>
        {webhook ? t.change : t.set}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t.own}
        centered
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <Form
          webhook={webhook}
          onDone={(made) => {
            close();
            setSecret(made);
          }}
        />
      </Modal>
      <SecretModal secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function Form({ webhook, onDone }: { webhook: Webhook | null; onDone(secret: string | null): void }) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const t = useTexts(webhooks);
  const words = useTexts(common);
  const chosen = kindNames.filter((kind) => webhook === null || webhook.event_types.includes(kinds[kind]));
  const form = useForm<ProjectWebhookPut>({ initialValues: { url: webhook?.url ?? '', kinds: chosen } });
  const { busy, problem, submit } = useSubmit(form, async (values: ProjectWebhookPut) => {
    const { secret } = await api.put<ProjectWebhookSet>('webhooks/project/', values);
    await queries.invalidateQueries({ queryKey: [project, 'webhooks'] });
    onDone(secret);
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label={t.url}
          description={t.urlHelp}
          inputMode="url"
          withAsterisk
          data-autofocus
          {...form.getInputProps('url')}
        />
        <Checkbox.Group label={t.kinds} withAsterisk {...form.getInputProps('kinds')}>
          <Stack gap="xs" mt="xs">
            {kindNames.map((kind) => (
              <Checkbox key={kind} value={kind} label={t[kind]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
