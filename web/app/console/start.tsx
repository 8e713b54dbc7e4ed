import { Container } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { texts, useTexts } from '../shared/language.tsx';
import { Loading, PageHead } from '../shared/page-parts.tsx';
import { LoadProblem } from '../shared/problem.tsx';
import { useAccount } from './api.ts';
import { Invitations } from './invitations.tsx';
import { CreateProject } from './projects/create.tsx';
import { projectTexts } from './projects/texts.ts';

const start = texts(
  {
    none: 'You are not a member of any project. Ask an administrator for an invitation, or create a project.',
    nowhere: 'No project yet',
    nothing: 'You are not a member of any project. Ask an administrator for an invitation.',
  },
  {
    ru: {
      none: 'Вы не состоите ни в одном проекте. Попросите администратора пригласить вас или создайте проект.',
      nowhere: 'Пока нет проекта',
      nothing: 'Вы не состоите ни в одном проекте. Попросите администратора пригласить вас.',
    },
  },
);

/** `/console/`: redirects to the first project. */
export default function Start() {
  const account = useAccount();
  const t = useTexts(start);
  const words = useTexts(projectTexts);
  const [isBeginner, setBeginner] = useState(false);
  if (account.isPending) return <Loading height={400} />;
  if (account.isError) return <LoadProblem error={account.error} onRetry={account.refetch} />;
  const { projects, may_make_projects: mayMake } = account.data;
  const [first] = projects;
  if (!first && !isBeginner) setBeginner(true);
  // After creating a project, the person stays here to copy its key.
  if (!first || isBeginner) {
    return (
      <Container component="main" size="sm" py="xl">
        <Invitations account={account.data} />
        <PageHead title={mayMake ? words.title : t.nowhere} lead={mayMake ? t.none : t.nothing} />
        {mayMake && <CreateProject />}
      </Container>
    );
  }
  return <Navigate to="/$project/" params={{ project: first.uuid }} replace />;
}
