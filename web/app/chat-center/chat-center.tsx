import { IconFolderOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChatCenterAccount } from '../../../src/people/chat-center/schema.ts';
import type { Account } from '../../../src/people/console/account/schema.ts';
import { createApi } from '../shared/api.ts';
import { useTexts } from '../shared/language.tsx';
import { frameSession } from '../shared/page.ts';
import { Empty, Loading } from '../shared/page-parts.tsx';
import { LoadProblem } from '../shared/problem.tsx';
import { createDesk, DeskProvider } from './desk.tsx';
import { Shell } from './shell/shell.tsx';
import { shellTexts } from './shell/texts.ts';

/** In a frame the server knows the operator and the project; elsewhere a person has signed in. */
export function ChatCenter() {
  return frameSession ? <InProject projectId="" person={undefined} /> : <ForPerson />;
}

function ForPerson() {
  const t = useTexts(shellTexts);
  const person = useQuery({
    queryKey: ['account'],
    queryFn: () => createApi('/console/api/').get<Account>('account/'),
  });
  if (person.isPending) return <Loading height={600} />;
  if (person.isError) return <LoadProblem error={person.error} onRetry={person.refetch} />;
  const { projects } = person.data;
  const wanted = new URLSearchParams(location.search).get('project');
  const project = projects.find(({ uuid }) => uuid === wanted) ?? projects[0];
  if (!project) return <Empty icon={<IconFolderOff />} title={t.noProject} />;
  return <InProject projectId={project.uuid} person={person.data} />;
}

function InProject({ projectId, person }: { projectId: string; person: Account | undefined }) {
  const account = useQuery({
    queryKey: [projectId, 'account'],
    queryFn: () => createApi('/chat-center/api/', projectId).get<ChatCenterAccount>('account/'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (account.isPending) return <Loading height={600} />;
  if (account.isError) return <LoadProblem error={account.error} onRetry={account.refetch} />;
  return <AtDesk projectId={projectId} account={account.data} person={person} />;
}

function AtDesk({
  projectId,
  account,
  person,
}: {
  projectId: string;
  account: ChatCenterAccount;
  person: Account | undefined;
}) {
  const queries = useQueryClient();
  const [desk] = useState(() => createDesk(projectId, account, queries));
  return (
    <DeskProvider value={desk}>
      <Shell person={person} />
    </DeskProvider>
  );
}
