import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { TeamMember } from '../../../../src/people/console/team/schema.ts';
import { FormButtons, FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { RoleField } from './role-field.tsx';
import { teamTexts } from './texts.ts';

export function ChangeButton({ member }: { member: TeamMember }) {
  const t = useTexts(teamTexts);
  const words = useTexts(common);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open} aria-label={t.changeTitle(member.name)}>
        {t.change}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t.changeTitle(member.name)}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <ChangeForm member={member} onDone={close} />
      </Modal>
    </>
  );
}

function ChangeForm({ member, onDone }: { member: TeamMember; onDone: () => void }) {
  const t = useTexts(teamTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: member.name, role: member.role } });
  const { busy, problem, submit } = useSubmit(form, async (values: typeof form.values) => {
    await api.patch(`team/${member.uuid}/`, values);
    // A change of one's own role affects the whole console.
    if (member.is_you) await queries.invalidateQueries({ queryKey: ['account'] });
    await queries.invalidateQueries({ queryKey: [project, 'team'] });
    onDone();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label={t.shownName}
          description={t.shownNameHint}
          maxLength={255}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        {member.state !== 'links_only' && <RoleField {...form.getInputProps('role')} />}
        <FormProblem text={problem} />
        <FormButtons action={words.save} busy={busy} onCancel={onDone} />
      </Stack>
    </form>
  );
}
