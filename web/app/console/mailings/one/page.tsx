import { Alert, Stack, Tabs } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { Loading, PageHead } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { AbTest } from './ab-test.tsx';
import { MailingActions } from './actions.tsx';
import { ApprovalLog } from './approval.tsx';
import { MailingContent } from './content.tsx';
import { MailingHeadline } from './headline.tsx';
import { Overrides } from './override.tsx';
import { MailingProblems } from './problems.tsx';
import { MailingProgress } from './progress.tsx';
import { MailingRecipients } from './recipients.tsx';
import { MailingRuns } from './runs.tsx';
import { oneTexts } from './texts.ts';

// The charts are larger than the rest of the page, so they load separately.
const MailingResults = lazy(() => import('./results.tsx'));

const liveMs = 2_000;
const restMs = 15_000;

export default function MailingPage() {
  const api = useApi();
  const project = useProjectId();
  const { mailing } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [project, 'mailing', mailing],
    queryFn: ({ signal }) => api.get<MailingDetail>(`mailings/${mailing}/`, {}, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isMoving(state.data) ? liveMs : restMs),
  });
  if (query.isPending) return <Loading height={600} />;
  if (query.isError) return <LoadProblem error={query.error} onRetry={query.refetch} />;
  return <Mailing detail={query.data} />;
}

const isMoving = (detail: MailingDetail | undefined): boolean =>
  detail !== undefined && (detail.summary.stage !== null || detail.summary.counts.pending > 0);

function Mailing({ detail }: { detail: MailingDetail }) {
  const t = useTexts(oneTexts);
  const { number } = useFormat();
  const project = useProjectId();
  const { summary, problems, run } = detail;
  return (
    <Stack gap="lg">
      <div>
        <TextLink to="/$project/mailings/" params={{ project }} size="sm">
          <IconArrowLeft size={14} aria-hidden /> {t.back}
        </TextLink>
        <PageHead title={summary.name} lead={<MailingHeadline summary={summary} />}>
          <MailingActions detail={detail} />
        </PageHead>
        {summary.state_detail && (
          <Alert color={summary.state === 'error' ? 'red' : 'yellow'} variant="light">
            {summary.state_detail}
          </Alert>
        )}
      </div>
      <MailingProgress detail={detail} />
      {detail.ab_test && <AbTest uuid={summary.uuid} />}
      <ApprovalLog approval={detail.approval} />
      <Overrides overrides={detail.overrides} />
      <Tabs defaultValue={run > 0 ? 'results' : 'content'} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="results">{t.tabs.results}</Tabs.Tab>
          <Tabs.Tab value="recipients">{t.tabs.recipients}</Tabs.Tab>
          {problems > 0 && <Tabs.Tab value="problems">{`${t.tabs.problems} (${number(problems)})`}</Tabs.Tab>}
          {(summary.regular_cron !== null || run > 1) && <Tabs.Tab value="runs">{t.tabs.runs}</Tabs.Tab>}
          <Tabs.Tab value="content">{t.tabs.content}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="results">
          <Suspense fallback={<Loading height={420} />}>
            <MailingResults detail={detail} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="recipients">
          <MailingRecipients summary={summary} />
        </Tabs.Panel>
        <Tabs.Panel value="problems">
          <MailingProblems summary={summary} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <MailingRuns summary={summary} />
        </Tabs.Panel>
        <Tabs.Panel value="content">
          <MailingContent detail={detail} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
