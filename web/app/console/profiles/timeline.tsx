import { Button, Center, Stack, Text } from '@mantine/core';
import { IconTimelineEvent } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Timeline as TimelinePage } from '../../../../src/people/console/profiles/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { Entry } from './entry.tsx';
import { profileTexts } from './texts.ts';

/** All events of a client, newest first. */
export function Timeline({ profile }: { profile: string }) {
  const t = useTexts(profileTexts);
  const api = useApi();
  const project = useProjectId();
  const timeline = useInfiniteQuery({
    queryKey: [project, 'profile-timeline', profile],
    queryFn: ({ pageParam: before, signal }) =>
      api.get<TimelinePage>(`profiles/${profile}/timeline/`, { before }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  if (timeline.isPending) return <Loading />;
  if (timeline.isError) return <LoadProblem error={timeline.error} onRetry={timeline.refetch} />;
  const entries = timeline.data.pages.flatMap(({ results }) => results);
  if (entries.length === 0) {
    return (
      <Empty icon={<IconTimelineEvent />} title={t.noTimeline}>
        <Text>{t.noTimelineHint}</Text>
      </Empty>
    );
  }
  return (
    <Stack gap="md">
      <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {entries.map((entry) => (
          <Entry key={`${entry.kind}${entry.id}`} entry={entry} />
        ))}
      </Stack>
      {timeline.hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={timeline.isFetchingNextPage}
            onClick={() => timeline.fetchNextPage()}
          >
            {t.earlier}
          </Button>
        </Center>
      )}
    </Stack>
  );
}
