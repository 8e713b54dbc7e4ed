import { Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Settings } from '../../../../src/people/console/settings/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useLanguage, useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { Cap } from './cap.tsx';
import { Quiet } from './quiet.tsx';
import { Retention } from './retention.tsx';
import { Secrets } from './secrets.tsx';
import { Start } from './start.tsx';
import { settingsTexts } from './texts.ts';

/** `/console/<project>/settings/` */
export default function SettingsPage() {
  const t = useTexts(settingsTexts);
  const api = useApi();
  const project = useProjectId();
  const settings = useQuery({
    queryKey: [project, 'settings'],
    queryFn: () => api.get<Settings>('settings/'),
    // Another person's save does not replace current input.
    refetchOnWindowFocus: false,
  });
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      {settings.isPending && <Loading />}
      {settings.isError && <LoadProblem error={settings.error} onRetry={settings.refetch} />}
      {settings.data && <SettingsForm key={project} settings={settings.data} />}
      <Retention />
      <Secrets />
    </>
  );
}

function SettingsForm({ settings: { countries, ...initialValues } }: { settings: Settings }) {
  const t = useTexts(settingsTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const named = useCountries(countries);
  const form = useForm<Omit<Settings, 'countries'>>({ initialValues });
  const { busy, problem, submit } = useSubmit(form, async (values: typeof form.values) => {
    const saved = await api.patch<Settings>('settings/', values);
    queries.setQueryData([project, 'settings'], saved);
    const { countries: _countries, ...fields } = saved;
    form.setValues(fields);
    await queries.invalidateQueries({ queryKey: ['account'] });
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack maw={640} gap="lg">
        <TextInput label={t.name} maxLength={255} required {...form.getInputProps('name')} />
        <Switch
          label={t.tracks}
          description={t.tracksHint}
          {...form.getInputProps('tracks_links', { type: 'checkbox' })}
        />
        <Switch
          label={t.sessions}
          description={t.sessionsHint}
          {...form.getInputProps('open_session_on_message', { type: 'checkbox' })}
        />
        <Select
          label={t.country}
          description={t.countryHint}
          placeholder={t.noCountry}
          data={named}
          searchable
          clearable
          {...form.getInputProps('default_country')}
        />
        <Quiet form={form} />
        <Cap form={form} />
        <Start form={form} />
        <Text size="sm">
          {t.starts}{' '}
          <TextLink to="/$project/scenarios/" params={{ project }} underline="always">
            {t.toScenarios}
          </TextLink>
        </Text>
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" loading={busy}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Names in the reader's language, sorted by it. */
function useCountries(codes: readonly string[]): { value: string; label: string }[] {
  const { language } = useLanguage();
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    return codes
      .map((value) => ({ value, label: names.of(value) ?? value }))
      .sort((one, other) => one.label.localeCompare(other.label, language));
  }, [codes, language]);
}
