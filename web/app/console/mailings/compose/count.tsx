import { Group, Loader, Paper, Text, Title } from '@mantine/core';
import type { AudienceSize } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { texts, useFormat, useTexts } from '../../../shared/language.tsx';
import { useProblemText } from '../../../shared/problem.tsx';
import { mailingTexts } from '../texts.ts';
import { audienceOf, contentOf, type Draft } from './draft.ts';
import { composeTexts } from './texts.ts';
import { useAsked } from './use-asked.ts';

export const countTexts = texts(
  {
    title: 'Recipients now',
    more: (count: string) => `More than ${count}`,
    about: (count: string) => `about ${count} in total`,
    fromFile: 'The number is known after the mailing starts and reads the file.',
    ofIdentifiers: (count: string) => `of ${count} identifiers`,
    counting: 'Counting…',
    noneYet: 'No recipients found so far',
  },
  {
    ru: {
      title: 'Получателей сейчас',
      more: (count) => `Больше ${count}`,
      about: (count) => `всего около ${count}`,
      fromFile: 'Число станет известно, когда рассылка начнётся и прочитает файл.',
      ofIdentifiers: (count) => `всего идентификаторов: ${count}`,
      counting: 'Считаем…',
      noneYet: 'Получателей пока не найдено',
    },
  },
);

/** The current number of recipients, while the audience is being chosen. */
export function AudienceCount({ draft }: { draft: Draft }) {
  const t = useTexts(countTexts);
  const own = useTexts(composeTexts);
  const problemText = useProblemText();
  const query = useAsked<AudienceSize>('mailings/audience/', draft, (one) => ({
    ...audienceOf(one),
    ...platformsOf(one),
  }));
  return (
    <Paper withBorder p="md" component="section">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t.title}
        </Title>
        {query.isFetching && <Loader size="xs" aria-label={t.counting} />}
      </Group>
      <div aria-live="polite">
        {!query.isReadable && <Text>{own.badJson}</Text>}
        {query.isReadable && query.isError && <Text>{problemText(query.error)}</Text>}
        {query.isReadable && query.data && !query.isError && <Size size={query.data} />}
        {query.isPending && query.isReadable && <Text>{t.counting}</Text>}
      </div>
    </Paper>
  );
}

/** The content determines the platforms that can carry it. */
function platformsOf(draft: Draft) {
  const { content_type, node } = contentOf(draft);
  return { content_type, node };
}

export function Size({ size }: { size: AudienceSize }) {
  const t = useTexts(countTexts);
  const all = useTexts(mailingTexts);
  const { number } = useFormat();
  const { count, is_exact, about, identifiers, platforms } = size;
  if (count === null) return <Text>{t.fromFile}</Text>;
  return (
    <>
      <Text size="xl" fw={700}>
        {is_exact ? all.recipients(count) : count === 0 ? t.noneYet : t.more(number(count))}
      </Text>
      {about !== null && about > count && <Text size="sm">{t.about(number(about))}</Text>}
      {identifiers !== null && <Text size="sm">{t.ofIdentifiers(number(identifiers))}</Text>}
      <Text size="sm">
        {platforms
          .map(({ platform, count: of }) => `${platform.replaceAll('_', ' ')}: ${number(of)}`)
          .join(' · ')}
      </Text>
    </>
  );
}
