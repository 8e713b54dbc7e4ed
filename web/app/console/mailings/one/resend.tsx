import { Alert, Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Mailing } from '../../../../../src/mailings/schema.ts';
import type { Failures, MailingSummary } from '../../../../../src/people/console/mailings/schema.ts';
import { FormProblem } from '../../../shared/form-parts.tsx';
import { texts, useFormat, useTexts } from '../../../shared/language.tsx';
import { Loading } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { useSubmit } from '../../../shared/submit.ts';
import { common } from '../../../shared/texts.ts';
import { useApi, useProjectId } from '../../api.ts';
import { newKey, postOnce } from '../once.ts';
import { mailingTexts } from '../texts.ts';
import { oneTexts } from './texts.ts';

const resendTexts = texts(
  {
    title: 'Resend to missed recipients',
    lead: 'Creates a mailing with the same message for the recipients of the last run who did not get it.',
    reason: 'Reason',
    count: 'Recipients',
    refused: (count: string) => `Excluded, blocked or unsubscribed: ${count}.`,
    nobody: 'No recipients left.',
    name: 'New mailing name',
    again: (name: string) => `${name.slice(0, 70)} (again)`,
    go: (recipients: string) => `Send to ${recipients}`,
  },
  {
    ru: {
      title: 'Отправить тем, до кого не дошло',
      lead: 'Создаёт рассылку с тем же сообщением для получателей последнего запуска, которые его не получили.',
      reason: 'Причина',
      count: 'Получателей',
      refused: (count) => `Исключены заблокировавшие вас или отписавшиеся: ${count}.`,
      nobody: 'Получателей не осталось.',
      name: 'Название новой рассылки',
      again: (name) => `${name.slice(0, 70)} (ещё раз)`,
      go: (recipients) => `Отправить: ${recipients}`,
    },
  },
);

export function ResendButton({ summary }: { summary: MailingSummary }) {
  const t = useTexts(oneTexts);
  const own = useTexts(resendTexts);
  const words = useTexts(common);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>{t.resend}</Button>
      <Modal
        opened={opened}
        onClose={close}
        title={own.title}
        size="lg"
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <ResendForm summary={summary} onCancel={close} />
      </Modal>
    </>
  );
}

function ResendForm({ summary, onCancel }: { summary: MailingSummary; onCancel(): void }) {
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const t = useTexts(resendTexts);
  const all = useTexts(mailingTexts);
  const words = useTexts(common);
  const [key] = useState(newKey);
  const form = useForm({ initialValues: { name: t.again(summary.name) } });
  const query = useQuery({
    queryKey: [project, 'mailing', summary.uuid, 'failures'],
    queryFn: ({ signal }) => api.get<Failures>(`mailings/${summary.uuid}/failures/`, {}, signal),
  });
  const { busy, problem, submit } = useSubmit(
    form,
    async (values: { name: string }) => {
      const made = await postOnce<Mailing>(api, `mailings/${summary.uuid}/resend/`, values, key);
      onCancel();
      await navigate({ to: '/$project/mailings/$mailing/', params: { project, mailing: made.uuid } });
    },
    { quiet: true },
  );
  if (query.isPending) return <Loading />;
  if (query.isError) return <LoadProblem error={query.error} onRetry={query.refetch} />;
  const { resendable } = query.data;
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Text>{t.lead}</Text>
        <Reasons failures={query.data} />
        <TextInput label={t.name} maxLength={80} {...form.getInputProps('name')} />
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={busy} disabled={resendable === 0}>
            {t.go(all.recipients(resendable))}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Reasons({ failures: { reasons, refused, resendable } }: { failures: Failures }) {
  const t = useTexts(resendTexts);
  const { number } = useFormat();
  return (
    <>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.reason}</Table.Th>
            <Table.Th ta="right">{t.count}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reasons.map(({ reason, count }) => (
            <Table.Tr key={reason}>
              <Table.Td>{reason}</Table.Td>
              <Table.Td ta="right">{number(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {refused > 0 && <Text size="sm">{t.refused(number(refused))}</Text>}
      {resendable === 0 && <Alert color="yellow">{t.nobody}</Alert>}
    </>
  );
}
