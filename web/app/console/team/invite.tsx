import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation, WayIn } from '../../../../src/people/console/team/schema.ts';
import { FormButtons, FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { RoleField } from './role-field.tsx';
import { teamTexts } from './texts.ts';
import { WayInNote } from './way-in.tsx';

export function InviteButton() {
  const t = useTexts(teamTexts);
  const words = useTexts(common);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={open}>
        {t.invite}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t.invite}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <InviteForm onDone={close} />
      </Modal>
    </>
  );
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(teamTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const [invited, setInvited] = useState<{ email: string; way: WayIn } | null>(null);
  const form = useForm<Invitation>({ initialValues: { email: '', role: 'operator' } });
  const { busy, problem, submit } = useSubmit<Invitation>(
    form,
    async (values) => {
      setInvited({ email: values.email, way: await api.post<WayIn>('team/', values) });
      await queries.invalidateQueries({ queryKey: [project, 'team'] });
    },
    { quiet: true },
  );
  if (invited) {
    return (
      <Stack>
        <WayInNote {...invited} />
        <Group justify="flex-end">
          <Button onClick={onDone}>{words.close}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Text>{t.inviteLead}</Text>
        <TextInput
          type="email"
          label={t.email}
          maxLength={254}
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RoleField {...form.getInputProps('role')} />
        <FormProblem text={problem} />
        <FormButtons action={t.invite} busy={busy} onCancel={onDone} />
      </Stack>
    </form>
  );
}
