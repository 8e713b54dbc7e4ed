import { Badge, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { Application } from '../../../../src/people/console/applications/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { CopyText } from '../../shared/page-parts.tsx';
import { ChangeButton } from './change.tsx';
import { DeleteButton, RevokeButton } from './ends.tsx';
import { useGrantLink } from './grant-link.ts';
import { RotateButton } from './rotate.tsx';
import { applicationTexts } from './texts.ts';

export function ApplicationCard({ application }: { application: Application }) {
  const t = useTexts(applicationTexts);
  const { number } = useFormat();
  const grantLink = useGrantLink();
  const { uuid, name, is_own, redirect_uris, connected_at, projects } = application;
  return (
    <Card withBorder component="article" aria-label={name}>
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={3} size="h4">
            {name}
          </Title>
          <Badge variant="outline" c="inherit" tt="none">
            {is_own ? t.own : t.foreign}
          </Badge>
        </Group>
        <Access application={application} />
        {is_own && (
          <>
            <Group gap="xs">
              <Text size="sm">{t.clientId}</Text>
              <Code style={{ overflowWrap: 'anywhere' }}>{uuid}</Code>
              <CopyText value={uuid} />
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t.redirects}: {redirect_uris.join(', ')}
            </Text>
            <Text size="sm">
              {t.projects}: {number(projects)}
            </Text>
          </>
        )}
        <Group gap="xs">
          {is_own && redirect_uris[0] !== undefined && (
            <CopyText value={grantLink(uuid, redirect_uris[0])} label={t.copyGrant} />
          )}
          {is_own && <ChangeButton application={application} />}
          {is_own && <RotateButton application={application} />}
          {connected_at !== null && <RevokeButton application={application} />}
          {is_own && <DeleteButton application={application} />}
        </Group>
      </Stack>
    </Card>
  );
}

function Access({ application: { connected_at, renewed_at, has_webhook } }: { application: Application }) {
  const t = useTexts(applicationTexts);
  const { ago, day, moment } = useFormat();
  if (connected_at === null) return <Text>{t.notConnected}</Text>;
  return (
    <Text>
      <span title={moment(connected_at)}>{t.connected(day(connected_at))}</span>
      {', '}
      <span title={moment(renewed_at)}>{t.renewed(ago(renewed_at))}</span>
      {has_webhook && `, ${t.webhook}`}
    </Text>
  );
}
