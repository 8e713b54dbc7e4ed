import { Anchor, Card, Grid, Tabs, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Profile } from '../../../../src/clients/profiles/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { basePath } from '../../shared/page.ts';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useIsAdmin, useProjectId } from '../api.ts';
import { ClientConsents } from '../consent/client-consent.tsx';
import { TextLink } from '../links.tsx';
import { useDefinitions, useProfile } from './calls.ts';
import { Changes } from './changes.tsx';
import { Chats } from './chats.tsx';
import { Colleague } from './colleague.tsx';
import { Fields } from './fields.tsx';
import { Outcomes } from './outcomes.tsx';
import { outcomesTexts } from './outcomes-texts.ts';
import { profileTexts } from './texts.ts';
import { Timeline } from './timeline.tsx';

/** `/console/<project>/profiles/<uuid>/` */
export default function ProfilePage() {
  const t = useTexts(profileTexts);
  const format = useFormat();
  const project = useProjectId();
  const isAdmin = useIsAdmin();
  const { profile: id } = useParams({ from: '/$project/profiles/$profile' });
  const profile = useProfile(id);
  const tags = useDefinitions('tags');
  const attributes = useDefinitions('attributes');
  if (profile.isError) return <LoadProblem error={profile.error} onRetry={profile.refetch} />;
  if (!profile.data || tags.isPending || attributes.isPending) return <Loading height={480} />;
  const { name, phone_number, email, external_id, created_at, chats } = profile.data;
  return (
    <>
      <TextLink to="/$project/profiles/" params={{ project }}>
        ← {t.all}
      </TextLink>
      <PageHead
        title={name ?? phone_number ?? email ?? external_id ?? t.noName}
        lead={t.since(format.day(created_at))}
      >
        {chats[0] && (
          <Anchor href={`${basePath}/chat-center/?project=${project}#list=all&chat=${chats[0].uuid}`}>
            {t.openChat}
          </Anchor>
        )}
      </PageHead>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Card withBorder>
            <Title order={2} size="h4" mb="sm">
              {t.facts}
            </Title>
            {isAdmin && <Colleague profile={id} />}
            <Fields
              key={id}
              profile={profile.data}
              tags={tags.data?.results.map((tag) => tag.name) ?? []}
              attributes={attributes.data?.results.map((attribute) => attribute.name) ?? []}
            />
          </Card>
          <ClientConsents profile={id} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Story profile={profile.data} />
        </Grid.Col>
      </Grid>
    </>
  );
}

/** What has happened with the client. */
function Story({ profile: { uuid, chats } }: { profile: Profile }) {
  const t = useTexts(profileTexts);
  const outcomes = useTexts(outcomesTexts);
  return (
    <Tabs defaultValue="timeline" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="timeline">{t.timeline}</Tabs.Tab>
        <Tabs.Tab value="outcomes">{outcomes.tab}</Tabs.Tab>
        <Tabs.Tab value="chats">{t.chats}</Tabs.Tab>
        <Tabs.Tab value="changes">{t.changes}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="timeline" pt="md">
        <Timeline profile={uuid} />
      </Tabs.Panel>
      <Tabs.Panel value="outcomes" pt="md">
        <Outcomes profile={uuid} />
      </Tabs.Panel>
      <Tabs.Panel value="chats" pt="md">
        <Chats chats={chats} />
      </Tabs.Panel>
      <Tabs.Panel value="changes" pt="md">
        <Changes profile={uuid} />
      </Tabs.Panel>
    </Tabs>
  );
}
