import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { Loading } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { emptyDraft } from './draft.ts';
import { ComposeForm } from './form.tsx';
import { forgetDraft, keptDraft } from './kept.ts';
import { draftFrom, withTimeOf } from './pattern.ts';
import { composeTexts } from './texts.ts';

export default function ComposePage() {
  const api = useApi();
  const project = useProjectId();
  const t = useTexts(composeTexts);
  const { from: copied, draft } = useSearch({ strict: false });
  const from = draft ?? copied;
  const [attempt, setAttempt] = useState(0);
  const choices = useQuery({
    queryKey: [project, 'mailing-choices'],
    queryFn: ({ signal }) => api.get<Choices>('mailings/choices/', {}, signal),
  });
  const pattern = useQuery({
    queryKey: [project, 'mailing', from],
    queryFn: ({ signal }) => api.get<MailingDetail>(`mailings/${from}/`, {}, signal),
    enabled: from !== undefined,
  });
  if (choices.isError) return <LoadProblem error={choices.error} onRetry={choices.refetch} />;
  if (pattern.isError) return <LoadProblem error={pattern.error} onRetry={pattern.refetch} />;
  if (choices.isPending || (from !== undefined && pattern.isPending)) return <Loading height={600} />;
  const initial = pattern.data
    ? draft === undefined
      ? draftFrom(pattern.data, t.copyOf)
      : withTimeOf(pattern.data)
    : (keptDraft(project) ?? emptyDraft());
  return (
    <ComposeForm
      key={`${from} ${attempt}`}
      initial={attempt > 0 ? emptyDraft() : initial}
      choices={choices.data}
      draft={draft ?? null}
      note={pattern.data?.has_identifiers ? t.pasteAgain : null}
      onDiscard={() => {
        forgetDraft(project);
        setAttempt(attempt + 1);
      }}
    />
  );
}
