import { Alert, Button, Group, NumberInput, Stack, Switch, Text, Title } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  fewestMonths,
  type Kind,
  keptFrom,
  kinds,
  mostMonths,
} from '../../../../src/access/projects/retention.ts';
import type { RetentionPage, RetentionPut } from '../../../../src/people/console/retention/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi, useProjectId } from '../api.ts';
import { retentionTexts } from './retention-texts.ts';

/** How long the project keeps what. */
export function Retention() {
  const t = useTexts(retentionTexts);
  const api = useApi();
  const project = useProjectId();
  const retention = useQuery({
    queryKey: [project, 'retention'],
    queryFn: () => api.get<RetentionPage>('retention/'),
    refetchOnWindowFocus: false,
  });
  return (
    <Stack maw={640} mt="xl">
      <Title order={2} size="h3">
        {t.title}
      </Title>
      <Text>{t.lead}</Text>
      {retention.isPending && <Loading />}
      {retention.isError && <LoadProblem error={retention.error} onRetry={retention.refetch} />}
      {retention.data && <RetentionForm key={project} page={retention.data} />}
    </Stack>
  );
}

type Form = UseFormReturnType<RetentionPut>;

function RetentionForm({ page: { changed_by, changed_at, now, ...initialValues } }: { page: RetentionPage }) {
  const t = useTexts(retentionTexts);
  const { moment } = useFormat();
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const form = useForm<RetentionPut>({ initialValues });
  const { busy, problem, submit } = useSubmit(form, async (values: RetentionPut) => {
    const saved = await api.put<RetentionPage>('retention/', values);
    queries.setQueryData([project, 'retention'], saved);
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {kinds.map((kind) => (
          <Months key={kind} form={form} kind={kind} now={new Date(now)} />
        ))}
        <Switch
          label={t.archives}
          description={t.archivesHint}
          {...form.getInputProps('archives', { type: 'checkbox' })}
        />
        <Switch
          label={t.hold}
          description={t.holdHint}
          {...form.getInputProps('legal_hold', { type: 'checkbox' })}
        />
        {form.values.legal_hold && <Alert color="blue">{t.held}</Alert>}
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" variant="default" loading={busy}>
            {t.save}
          </Button>
          {changed_at !== null && (
            <Text size="sm" c="dimmed">
              {t.changed(changed_by ?? '–', moment(changed_at))}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The number of months, and what it means. */
function Months({ form, kind, now }: { form: Form; kind: Kind; now: Date }) {
  const t = useTexts(retentionTexts);
  const { day } = useFormat();
  const { value, onChange, ...props } = form.getInputProps(kind);
  const from = keptFrom({ ...form.values, legal_hold: false }, kind, now);
  const forEver = kind === 'files' && form.values.messages !== null ? t.withMessages : t.forEver;
  return (
    <NumberInput
      label={t[kind]}
      description={from === null ? forEver : t.goes(t.what[kind], day(from.toISOString()))}
      placeholder={t.empty}
      min={fewestMonths[kind]}
      max={mostMonths}
      allowDecimal={false}
      {...props}
      value={value ?? ''}
      onChange={(months) => onChange(typeof months === 'number' ? months : null)}
    />
  );
}
