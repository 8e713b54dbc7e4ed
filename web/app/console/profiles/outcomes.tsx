import { Stack, Text } from '@mantine/core';
import { IconMailQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Outcome, Outcomes as Page } from '../../../../src/people/console/profiles/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { platformName } from '../../shared/platforms.ts';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useIsAdmin, useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { letterOf } from '../mailings/letter.ts';
import { outcomesTexts } from './outcomes-texts.ts';

/** One sentence for each mailing and push message: whether the client got it, and if not, why. */
export function Outcomes({ profile }: { profile: string }) {
  const t = useTexts(outcomesTexts);
  const api = useApi();
  const project = useProjectId();
  const outcomes = useQuery({
    queryKey: [project, 'profile-outcomes', profile],
    queryFn: ({ signal }) => api.get<Page>(`profiles/${profile}/outcomes/`, {}, signal),
  });
  if (outcomes.isPending) return <Loading />;
  if (outcomes.isError) return <LoadProblem error={outcomes.error} onRetry={outcomes.refetch} />;
  const { results } = outcomes.data;
  if (results.length === 0) {
    return (
      <Empty icon={<IconMailQuestion />} title={t.none}>
        <Text>{t.noneHint}</Text>
      </Empty>
    );
  }
  return (
    <Stack gap="md">
      <Text size="sm">{t.lead}</Text>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {results.map((outcome) => (
          <Line key={outcome.kind + outcome.uuid} outcome={outcome} />
        ))}
      </Stack>
    </Stack>
  );
}

function Line({
  outcome: { kind, uuid, title, at, code, detail, until, platform, by, variant },
}: {
  outcome: Outcome;
}) {
  const t = useTexts(outcomesTexts);
  const { moment } = useFormat();
  const project = useProjectId();
  const isAdmin = useIsAdmin();
  const facts = {
    detail,
    by,
    platform: platform ? platformName(platform) : '',
    at: until ? moment(until) : '',
  };
  return (
    <li>
      <Text size="sm" c="dimmed" component="div">
        {t.kinds[kind]}
        {': '}
        {kind === 'mailing' && isAdmin ? (
          <TextLink to="/$project/mailings/$mailing/" params={{ project, mailing: uuid }} underline="always">
            {title}
          </TextLink>
        ) : (
          title
        )}
        {' · '}
        {moment(at)}
        {variant !== null && ` · ${t.variant(letterOf(variant))}`}
      </Text>
      <Text>{t.sentences[code](facts)}</Text>
    </li>
  );
}
