import { Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PreviewedTemplate } from '../../../../src/people/console/templates/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { useApi, useProjectId } from '../api.ts';
import { templateTexts } from './texts.ts';

const pauseMs = 300;

export type Samples = Readonly<Record<string, string>>;

type Props = {
  body: string;
  samples: Samples;
  onChange(samples: Samples): void;
  /** The problems of samples that the provider needs. Absent where samples are only for the preview. */
  problems?: Samples;
};

/** The variables of a text with sample values, and the resulting text. */
export function TemplatePreview({ body, samples, onChange, problems }: Props) {
  const t = useTexts(templateTexts);
  const api = useApi();
  const project = useProjectId();
  const [settled] = useDebouncedValue({ body, samples }, pauseMs);
  const variables = useVariables(settled.body);
  const values = Object.fromEntries(variables.map((name) => [name, settled.samples[name] || `[${name}]`]));
  const { data } = useQuery({
    queryKey: [project, 'template-preview', settled.body, values],
    queryFn: () => api.post<PreviewedTemplate>('templates/preview/', { body: settled.body, values }),
    placeholderData: keepPreviousData,
    enabled: settled.body !== '',
  });
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t.variables}: {variables.length > 0 ? variables.join(', ') : t.noVariables}
      </Text>
      {variables.length > 0 && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {variables.map((name) => (
            <TextInput
              key={name}
              size="sm"
              label={t.sample(name)}
              withAsterisk={problems !== undefined}
              error={problems?.[name]}
              value={samples[name] ?? ''}
              onChange={(event) => onChange({ ...samples, [name]: event.currentTarget.value })}
            />
          ))}
        </SimpleGrid>
      )}
      <Text size="sm" fw={600}>
        {t.preview}
      </Text>
      <Paper withBorder p="sm" mih={48} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {settled.body === '' ? <Text size="sm">{t.previewEmpty}</Text> : data?.text}
      </Paper>
    </Stack>
  );
}

function useVariables(body: string): string[] {
  const api = useApi();
  const project = useProjectId();
  const { data } = useQuery({
    queryKey: [project, 'template-preview', body, 'variables'],
    queryFn: () => api.post<PreviewedTemplate>('templates/preview/', { body, values: {} }),
    placeholderData: keepPreviousData,
    enabled: body !== '',
  });
  return body === '' ? [] : (data?.variables ?? []);
}
