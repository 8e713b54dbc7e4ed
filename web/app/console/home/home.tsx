import { Anchor, Button, Progress, Stack, Text } from '@mantine/core';
import {
  IconBroadcast,
  IconExternalLink,
  IconMessage2,
  IconPlugConnected,
  IconRobot,
  IconSend,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import type { Home as HomeData } from '../../../../src/people/console/home/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { basePath } from '../../shared/page.ts';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useIsAdmin, useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import { Approvals } from './approvals.tsx';
import { DemoKeys } from './demo-keys.tsx';
import { PushForm } from './push-form.tsx';
import { Step } from './step.tsx';
import { home } from './texts.ts';
import { Troubles } from './troubles.tsx';

/** Steps can also be completed in other tabs. */
const lookEveryMs = 4_000;

/** The start page of a project. Operators have other pages: the chat center and the clients. */
export default function Home() {
  const project = useProjectId();
  return useIsAdmin() ? <FirstSteps /> : <Navigate to="/$project/profiles/" params={{ project }} replace />;
}

/** Problems that need attention, and five steps through the main features. */
function FirstSteps() {
  const api = useApi();
  const projectId = useProjectId();
  const t = useTexts(home);
  const query = useQuery({
    queryKey: [projectId, 'home'],
    queryFn: () => api.get<HomeData>('home/'),
    refetchInterval: lookEveryMs,
  });
  if (query.isPending) return <Loading height={480} />;
  if (query.isError) return <LoadProblem error={query.error} onRetry={query.refetch} />;
  const { steps, clients, demo_url, demo_keys_end_at, approvals, troubles } = query.data;
  const done = Object.values(steps).filter(Boolean).length;
  const params = { project: projectId };
  return (
    <Stack maw={860}>
      <PageHead title={t.title} lead={done === 5 ? t.leadDone : t.lead} />
      {demo_keys_end_at !== null && <DemoKeys endAt={demo_keys_end_at} />}
      {approvals.length > 0 && <Approvals approvals={approvals} />}
      {troubles.length > 0 && <Troubles troubles={troubles} />}
      <Progress value={done * 20} aria-label={t.progress(done)} size="lg" radius="xl" />
      <Text size="sm">{t.progress(done)}</Text>
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
        <Step icon={IconPlugConnected} title={t.channel} text={t.channelText} isDone={steps.channel}>
          <ButtonLink to="/$project/channels/" params={params} variant="default">
            {steps.channel ? t.channelDone : t.channelGo}
          </ButtonLink>
        </Step>
        <WrittenStep demoUrl={demo_url} isDone={steps.written} />
        <Step icon={IconSend} title={t.push} text={t.pushText} isDone={steps.push}>
          {clients.length > 0 ? <PushForm clients={clients} /> : <Text size="sm">{t.pushNobody}</Text>}
          <Anchor href={`${basePath}/api/partners/docs/`} target="_blank" size="sm">
            {t.pushDocs}
          </Anchor>
        </Step>
        <Step icon={IconRobot} title={t.scenario} text={t.scenarioText} isDone={steps.scenario}>
          <ButtonLink to="/$project/scenarios/" params={params} variant="default">
            {t.scenarioGo}
          </ButtonLink>
        </Step>
        <Step icon={IconBroadcast} title={t.mailing} text={t.mailingText} isDone={steps.mailing}>
          <ButtonLink to="/$project/mailings/new/" params={params} variant="default">
            {t.mailingGo}
          </ButtonLink>
        </Step>
      </Stack>
    </Stack>
  );
}

/** A client writes first: from the demo's page, or from the widget on one's own. */
function WrittenStep({ demoUrl, isDone }: { demoUrl: string | null; isDone: boolean }) {
  const project = useProjectId();
  const t = useTexts(home);
  return (
    <Step
      icon={IconMessage2}
      title={t.written}
      text={demoUrl ? t.writtenDemo : t.writtenOther}
      isDone={isDone}
    >
      {demoUrl ? (
        <Button
          component="a"
          href={demoUrl}
          target="_blank"
          variant={isDone ? 'default' : 'filled'}
          rightSection={<IconExternalLink size={16} aria-hidden />}
        >
          {t.writtenGo}
        </Button>
      ) : (
        <ButtonLink to="/$project/widget/" params={{ project }} variant="default">
          {t.writtenWidget}
        </ButtonLink>
      )}
      {isDone && (
        <Button component="a" href={`${basePath}/chat-center/?project=${project}`} variant="light">
          {t.answer}
        </Button>
      )}
    </Step>
  );
}
