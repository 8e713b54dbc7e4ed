import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconMailOpened } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Account } from '../../../src/people/console/account/schema.ts';
import { useAction } from '../shared/action.ts';
import { createApi } from '../shared/api.ts';
import { texts, useTexts } from '../shared/language.tsx';
import { root } from './api.ts';

const invitations = texts(
  {
    admin: (project: string) => `You are invited to ${project} as an administrator.`,
    operator: (project: string) => `You are invited to ${project} as an operator.`,
    join: 'Join',
    decline: 'Decline',
  },
  {
    ru: {
      admin: (project) => `Вас приглашают в проект «${project}» администратором.`,
      operator: (project) => `Вас приглашают в проект «${project}» оператором.`,
      join: 'Вступить',
      decline: 'Отклонить',
    },
  },
);

/** Invitations of the signed-in person. */
export function Invitations({ account }: { account: Account }) {
  if (account.invitations.length === 0) return null;
  return (
    <Stack mb="md">
      {account.invitations.map((invitation) => (
        <Invitation key={invitation.uuid} invitation={invitation} />
      ))}
    </Stack>
  );
}

function Invitation({ invitation: { uuid, title, role } }: { invitation: Account['invitations'][number] }) {
  const t = useTexts(invitations);
  const queries = useQueryClient();
  const api = createApi(root);
  const path = `account/invitations/${uuid}/`;
  const answered = () => queries.invalidateQueries({ queryKey: ['account'] });
  const join = useAction(() => api.post(path).then(answered));
  const decline = useAction(() => api.delete(path).then(answered));
  return (
    <Alert icon={<IconMailOpened aria-hidden />} role="status">
      <Group justify="space-between">
        <Text>{t[role](title)}</Text>
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            loading={decline.busy}
            onClick={decline.run}
            aria-label={`${t.decline}: ${title}`}
          >
            {t.decline}
          </Button>
          <Button size="xs" loading={join.busy} onClick={join.run} aria-label={`${t.join}: ${title}`}>
            {t.join}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
