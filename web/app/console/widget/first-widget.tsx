import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMessageCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ChannelCreate } from '../../../../src/people/console/channels/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { Empty } from '../../shared/page-parts.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi, useProjectId } from '../api.ts';
import { widgetTexts } from './texts.ts';

/** Shown while the project has no widget. */
export function FirstWidget() {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const t = useTexts(widgetTexts);
  const form = useForm({ initialValues: { name: t.firstName } });
  const { busy, problem, submit } = useSubmit(form, async ({ name }: { name: string }) => {
    const made: ChannelCreate = { platform: 'Widget', name, settings: {} };
    await api.post('channels/', made);
    await queries.invalidateQueries({ queryKey: [project, 'channels'] });
  });
  return (
    <Empty icon={<IconMessageCircle size={28} aria-hidden />} title={t.none}>
      <Text>{t.noneText}</Text>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack ta="start" w={300}>
          <TextInput
            label={t.nameLabel}
            description={t.nameHint}
            maxLength={200}
            {...form.getInputProps('name')}
          />
          <FormProblem text={problem} />
          <Button type="submit" loading={busy}>
            {t.make}
          </Button>
        </Stack>
      </form>
    </Empty>
  );
}
