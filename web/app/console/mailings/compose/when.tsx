import { Group, List, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Schedule } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useLanguage, useTexts } from '../../../shared/language.tsx';
import { useProblemText } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import type { Draft } from './draft.ts';
import type { DraftForm } from './form.tsx';
import { composeTexts } from './texts.ts';

const whens: readonly Draft['when'][] = ['now', 'later', 'schedule'];

/** The start of the mailing. The page shows the reader’s time zone and sends UTC. */
export function WhenFields({ form }: { form: DraftForm }) {
  const t = useTexts(composeTexts);
  const { when, planned_at } = form.values;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const utc = planned_at === '' ? null : new Date(planned_at).toISOString().slice(0, 16).replace('T', ' ');
  return (
    <Stack>
      <Radio.Group label={t.begin} {...form.getInputProps('when')}>
        <Group mt="xs" gap="md">
          {whens.map((one) => (
            <Radio key={one} value={one} label={t.whens[one]} />
          ))}
        </Group>
      </Radio.Group>
      {when === 'schedule' && <ScheduleField form={form} />}
      {when !== 'now' && (
        <TextInput
          type="datetime-local"
          label={when === 'later' ? t.at : t.notBefore}
          description={utc ? t.zone(zone, utc) : t.zoneOnly(zone)}
          required={when === 'later'}
          maw={360}
          {...form.getInputProps('planned_at')}
        />
      )}
      {when !== 'schedule' && (
        <TextInput
          type="datetime-local"
          label={t.finishBy}
          description={t.finishByHelp}
          maw={360}
          {...form.getInputProps('finish_by')}
        />
      )}
    </Stack>
  );
}

function ScheduleField({ form }: { form: DraftForm }) {
  const t = useTexts(composeTexts);
  const api = useApi();
  const project = useProjectId();
  const problemText = useProblemText();
  const { planned_at, regular_cron } = form.values;
  const [cron] = useDebouncedValue(regular_cron.trim(), 300);
  const after = planned_at === '' ? undefined : new Date(planned_at).toISOString();
  const query = useQuery({
    queryKey: [project, 'mailing-schedule', cron, after],
    queryFn: ({ signal }) => api.get<Schedule>('mailings/schedule/', { cron, after }, signal),
    enabled: cron !== '',
    retry: false,
  });
  return (
    <Stack gap="xs">
      <TextInput
        label={t.cron}
        styles={{ input: { fontFamily: 'monospace' } }}
        maw={480}
        {...form.getInputProps('regular_cron')}
        error={form.errors.regular_cron ?? (query.isError && problemText(query.error))}
      />
      <div aria-live="polite">
        {query.data && <Moments moments={query.data.moments} title={t.cronNext} />}
      </div>
    </Stack>
  );
}

function Moments({ moments, title }: { moments: string[]; title: string }) {
  const { language } = useLanguage();
  const write = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (
    <>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <List size="sm">
        {moments.map((moment) => (
          <List.Item key={moment}>{write.format(new Date(moment))}</List.Item>
        ))}
      </List>
    </>
  );
}
