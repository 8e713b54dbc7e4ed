import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { StarterConflicts } from '../../../../../src/people/console/scenarios/starters/schema.ts';
import { starterKinds, type Wanted } from '../../../../../src/scenarios/starter-kinds.ts';
import { FormProblem } from '../../../shared/form-parts.tsx';
import { useTexts } from '../../../shared/language.tsx';
import { useSubmit } from '../../../shared/submit.ts';
import { useApi, useProjectId } from '../../api.ts';
import { ConsentWords, Rivals } from './rivals.tsx';
import { startTexts } from './texts.ts';
import { ValueField } from './value-field.tsx';

type Props = { path: string; scenarioId: number; onAdded(): Promise<unknown> };

/** Adds a starter. Its conflicts appear while it is entered. */
export function AddStart({ path, scenarioId, onAdded }: Props) {
  const t = useTexts(startTexts);
  const api = useApi();
  const form = useForm<Required<Wanted>>({ initialValues: empty('keyword') });
  const { kind } = form.values;
  const conflicts = useConflicts(path, scenarioId, form.values);
  const { busy, problem, submit } = useSubmit(
    form,
    async (wanted: Required<Wanted>) => {
      await api.post(path, wanted);
      form.setValues(empty(wanted.kind));
      await onAdded();
    },
    { quiet: true },
  );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="xs">
        <Select
          label={t.kind}
          description={kind === 'keyword' || kind === 'link' ? undefined : t.hints[kind]}
          data={starterKinds.map((value) => ({ value, label: t.kinds[value] }))}
          allowDeselect={false}
          value={kind}
          onChange={(to) => form.setValues(empty(starterKinds.find((one) => one === to) ?? kind))}
        />
        <ValueField form={form} />
        {conflicts && <ConflictNotes scenarioId={scenarioId} conflicts={conflicts} />}
        <FormProblem text={problem ?? (kind === 'welcome' ? form.errors.value : null)} />
        <Group>
          <Button
            type="submit"
            size="xs"
            variant="default"
            loading={busy}
            disabled={(conflicts?.taken.length ?? 0) > 0}
          >
            {t.add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const settleMs = 300;
const mayBeEmpty: readonly Wanted['kind'][] = ['welcome', 'promocode'];

const empty = (kind: Wanted['kind']): Required<Wanted> => ({
  kind,
  value: '',
  to: kind === 'date' ? '10' : '',
});

/** What conflicts with the entered starter, once the input rests. */
function useConflicts(
  path: string,
  scenarioId: number,
  wanted: Required<Wanted>,
): StarterConflicts | undefined {
  const api = useApi();
  const project = useProjectId();
  const [settled] = useDebouncedValue(wanted, settleMs);
  const { data } = useQuery({
    queryKey: [project, 'scenario-starters', scenarioId, 'conflicts', settled],
    queryFn: () => api.post<StarterConflicts>(`${path}check/`, settled),
    enabled: mayBeEmpty.includes(settled.kind) || settled.value.trim() !== '',
    retry: false,
  });
  return settled === wanted ? data : undefined;
}

function ConflictNotes({ scenarioId, conflicts }: { scenarioId: number; conflicts: StarterConflicts }) {
  const t = useTexts(startTexts);
  const { taken, overlapping, consent_words } = conflicts;
  const isOwn = taken.some(({ scenario }) => scenario.id === scenarioId);
  return (
    <div role="status">
      {isOwn && <Text size="sm">{t.own}</Text>}
      {taken.length > 0 && !isOwn && <Rivals rivals={taken} isTaken />}
      {taken.length === 0 && overlapping.length > 0 && <Rivals rivals={overlapping} />}
      <ConsentWords words={consent_words} />
    </div>
  );
}
