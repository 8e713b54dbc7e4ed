import { IconFolderOff } from '@tabler/icons-react';
import { Navigate } from '@tanstack/react-router';
import { texts, useTexts } from '../shared/language.tsx';
import { Empty, Loading } from '../shared/page-parts.tsx';
import { LoadProblem } from '../shared/problem.tsx';
import { useAccount } from './api.ts';

const start = texts(
  { none: 'You belong to no project. Ask an administrator to invite you.' },
  { ru: { none: 'Вы не состоите ни в одном проекте. Попросите администратора пригласить вас.' } },
);

/** `/console/`: on to the first project. */
export default function Start() {
  const account = useAccount();
  const t = useTexts(start);
  if (account.isPending) return <Loading height={400} />;
  if (account.isError) return <LoadProblem error={account.error} onRetry={account.refetch} />;
  const [first] = account.data.projects;
  if (!first) return <Empty icon={<IconFolderOff />} title={t.none} />;
  return <Navigate to="/$project/" params={{ project: first.uuid }} replace />;
}
