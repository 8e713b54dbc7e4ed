import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Mailing } from '../../../../../src/mailings/schema.ts';
import type { DryRun } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { FormProblem } from '../../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { Loading } from '../../../shared/page-parts.tsx';
import { useProblemText } from '../../../shared/problem.tsx';
import { useSubmit } from '../../../shared/submit.ts';
import { common } from '../../../shared/texts.ts';
import { useApi, useProjectId } from '../../api.ts';
import { ask, newKey, postOnce } from '../once.ts';
import { bodyOf, type Draft } from './draft.ts';
import { Forecast } from './forecast.tsx';
import type { DraftForm } from './form.tsx';
import { forgetDraft } from './kept.ts';
import { reviewTexts } from './review-texts.ts';
import { TestSend } from './test-send.tsx';

/** The review before a mailing is created: its duration and expected problems. */
export function Review({
  form,
  draft: completes,
  opened,
  onClose,
  onMade,
}: {
  form: DraftForm;
  draft: string | null;
  opened: boolean;
  onClose(): void;
  onMade(): void;
}) {
  const t = useTexts(reviewTexts);
  const words = useTexts(common);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.title}
      size="lg"
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <Steps form={form} completes={completes} onClose={onClose} onMade={onMade} />
    </Modal>
  );
}

/** Mounted again at every opening, because an idempotency key belongs to one content. */
function Steps({
  form,
  completes,
  onClose,
  onMade,
}: {
  form: DraftForm;
  completes: string | null;
  onClose(): void;
  onMade(): void;
}) {
  const api = useApi();
  const project = useProjectId();
  const t = useTexts(reviewTexts);
  const { number } = useFormat();
  const problemText = useProblemText();
  const [key] = useState(newKey);
  const dryRun = useQuery({
    queryKey: [project, 'mailing-dry-run', key],
    queryFn: ({ signal }) => ask<DryRun>(api, 'mailings/dry-run/', bodyOf(form.values), signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const needsTestAbove = dryRun.data?.needs_test_above ?? null;
  const isLate = (dryRun.data?.finish?.hindrances.length ?? 0) > 0;
  const { busy, problem, submit } = useMaking(form, { completes, key, onMade });
  return (
    <Stack>
      {dryRun.isPending && <Loading />}
      {dryRun.isError && (
        <Alert color="red" role="alert">
          {dryRun.error instanceof SyntaxError ? t.badFilter : problemText(dryRun.error)}
        </Alert>
      )}
      {dryRun.data && <Forecast dryRun={dryRun.data} until={bodyOf(form.values).finish_by ?? null} />}
      {dryRun.data && (
        <TestSend
          draft={form.values}
          needsAbove={needsTestAbove === null ? null : number(needsTestAbove)}
          onSent={dryRun.refetch}
        />
      )}
      <FormProblem text={problem} />
      {!problem && <FieldErrors form={form} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t.back}
        </Button>
        <Button
          loading={busy}
          disabled={!dryRun.isSuccess || needsTestAbove !== null || isLate}
          onClick={() => submit(form.values)}
        >
          {dryRun.data?.needs_approval ? t.ask : form.values.when === 'now' ? t.start : t.schedule}
        </Button>
      </Group>
    </Stack>
  );
}

type Making = { completes: string | null; key: string; onMade(): void };

/** Makes the mailing, or completes the one that was a draft, and opens it. */
function useMaking(form: DraftForm, { completes, key, onMade }: Making) {
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useSubmit(
    form,
    async (draft: Draft) => {
      const made = completes
        ? await api.put<Mailing>(`mailings/${completes}/`, bodyOf(draft))
        : await postOnce<Mailing>(api, 'mailings/', bodyOf(draft), key);
      await queries.invalidateQueries({ queryKey: [project, 'mailing', made.uuid] });
      onMade();
      forgetDraft(project);
      await navigate({ to: '/$project/mailings/$mailing/', params: { project, mailing: made.uuid } });
    },
    { quiet: true },
  );
}

function FieldErrors({ form }: { form: DraftForm }) {
  const t = useTexts(reviewTexts);
  if (Object.keys(form.errors).length === 0) return null;
  return (
    <Alert color="red" role="alert">
      <Text>{t.fieldErrors}</Text>
      {Object.entries(form.errors).map(([field, error]) => (
        <Text key={field} size="sm">
          {error}
        </Text>
      ))}
    </Alert>
  );
}
