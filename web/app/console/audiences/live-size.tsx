import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AudienceSize } from '../../../../src/people/console/mailings/draft-schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useProblemText } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { countTexts } from '../mailings/compose/count.tsx';
import { ask } from '../mailings/once.ts';
import { audienceTexts } from './texts.ts';

/** The present size of a saved audience: the number of recipients of a text to it. */
export function LiveSize({ name, changedAt }: { name: string; changedAt: string }) {
  const t = useTexts(audienceTexts);
  const { counting } = useTexts(countTexts);
  const problemText = useProblemText();
  const api = useApi();
  const project = useProjectId();
  const { number } = useFormat();
  const size = useQuery({
    queryKey: [project, 'audience-size', name, changedAt],
    queryFn: ({ signal }) =>
      ask<AudienceSize>(
        api,
        'mailings/audience/',
        { content_type: 'TEXT', filter_chats: { audience: name } },
        signal,
      ),
    retry: false,
    staleTime: 30_000,
  });
  if (size.isPending) return <Loader size="xs" aria-label={counting} />;
  if (size.isError) {
    return (
      <Text span size="sm" c="red">
        {problemText(size.error)}
      </Text>
    );
  }
  const { count, is_exact, about } = size.data;
  if (is_exact || count === null) return <>{number(count ?? 0)}</>;
  return <>{about === null ? t.more(number(count)) : t.about(number(about))}</>;
}
