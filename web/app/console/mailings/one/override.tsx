import { Button, Checkbox, Group, List, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { FormProblem } from '../../../shared/form-parts.tsx';
import { texts, useFormat, useTexts } from '../../../shared/language.tsx';
import { useSubmit } from '../../../shared/submit.ts';
import { common } from '../../../shared/texts.ts';
import { useApi, useProjectId } from '../../api.ts';

const overrideTexts = texts(
  {
    open: 'Override rules',
    title: 'Send against the project’s rules',
    lead: 'Only for this mailing. Who allowed it, and why, stays visible on this page.',
    quiet_hours: 'Ignore quiet hours: waiting messages are sent now',
    cap: 'Ignore the frequency cap. Messages refused so far stay refused.',
    reason: 'Reason',
    save: 'Allow',
    list: 'Allowed against the project’s rules',
    rules: { quiet_hours: 'quiet hours', cap: 'frequency cap' },
    told: (rules: string, reason: string, author: string, at: string) =>
      `${rules}: “${reason}” (${author}, ${at})`,
    somebody: 'an administrator',
  },
  {
    ru: {
      open: 'Снять ограничения',
      title: 'Отправить вопреки правилам проекта',
      lead: 'Только для этой рассылки. На этой странице останется, кто и почему это разрешил.',
      quiet_hours: 'Не соблюдать тихие часы: ожидающие сообщения отправятся сейчас',
      cap: 'Не соблюдать ограничение частоты. Уже отклонённые сообщения не отправятся.',
      reason: 'Причина',
      save: 'Разрешить',
      list: 'Разрешено вопреки правилам проекта',
      rules: { quiet_hours: 'тихие часы', cap: 'ограничение частоты' },
      told: (rules, reason, author, at) => `${rules}: «${reason}» (${author}, ${at})`,
      somebody: 'администратор',
    },
  },
);

/** Lets this mailing ignore rules that it still obeys. */
export function OverrideButton({ detail }: { detail: MailingDetail }) {
  const t = useTexts(overrideTexts);
  const words = useTexts(common);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.open}
      </Button>
      <Modal opened={opened} onClose={close} title={t.title} closeButtonProps={{ 'aria-label': words.close }}>
        <OverrideForm detail={detail} onClose={close} />
      </Modal>
    </>
  );
}

const empty = { quiet_hours: false, cap: false, reason: '' };

function OverrideForm({ detail: { summary, obeys }, onClose }: { detail: MailingDetail; onClose(): void }) {
  const t = useTexts(overrideTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const form = useForm({ initialValues: empty });
  const { busy, problem, submit } = useSubmit(form, async (values: typeof empty) => {
    await api.post(`mailings/${summary.uuid}/overrides/`, values);
    await queries.invalidateQueries({ queryKey: [project, 'mailing', summary.uuid] });
    onClose();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Text size="sm">{t.lead}</Text>
        {obeys.quiet_hours && (
          <Checkbox label={t.quiet_hours} {...form.getInputProps('quiet_hours', { type: 'checkbox' })} />
        )}
        {obeys.cap && <Checkbox label={t.cap} {...form.getInputProps('cap', { type: 'checkbox' })} />}
        <Textarea label={t.reason} maxLength={1_000} autosize required {...form.getInputProps('reason')} />
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={busy} disabled={!form.values.quiet_hours && !form.values.cap}>
            {t.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What this mailing was allowed, with the author and the reason. */
export function Overrides({ overrides }: Pick<MailingDetail, 'overrides'>) {
  const t = useTexts(overrideTexts);
  const { moment } = useFormat();
  if (overrides.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {t.list}
      </Text>
      <List size="sm">
        {overrides.map((override) => (
          <List.Item key={override.at}>
            {t.told(
              (['quiet_hours', 'cap'] as const)
                .filter((rule) => override[rule])
                .map((rule) => t.rules[rule])
                .join(', '),
              override.reason,
              override.author ?? t.somebody,
              moment(override.at),
            )}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
