import { Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import type { Preview } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { texts, useTexts } from '../../../shared/language.tsx';
import { useProblemText } from '../../../shared/problem.tsx';
import { audienceOf, contentOf, type Draft, saysTemplate, saysText } from './draft.ts';
import { useAsked } from './use-asked.ts';

const previewTexts = texts(
  {
    title: 'Preview for three recipients',
    empty: 'Write the message to see it here as clients will.',
    nobody: 'No recipients to preview.',
    fromFile: 'Recipients are known after the file is read.',
    scenario: 'The scenario starts.',
    unnamed: 'No name',
    help: 'Links appear as tracked links. Promo codes are samples; no code is issued.',
  },
  {
    ru: {
      title: 'Предпросмотр для трёх получателей',
      empty: 'Напишите сообщение, чтобы увидеть его здесь глазами клиента.',
      nobody: 'Нет получателей для предпросмотра.',
      fromFile: 'Получатели станут известны после чтения файла.',
      scenario: 'Запустится сценарий.',
      unnamed: 'Без имени',
      help: 'Ссылки показаны отслеживаемыми. Промокоды даны для примера и не выдаются.',
    },
  },
);

const hasContent = (draft: Draft): boolean =>
  (!saysText(draft) || draft.text.trim() !== '') &&
  (!saysTemplate(draft) || draft.template_whatsapp !== '') &&
  (draft.kind !== 'NODE' || draft.node !== '');

/** Three real recipients with their exact messages. */
export function MailingPreview({ draft }: { draft: Draft }) {
  const t = useTexts(previewTexts);
  const problemText = useProblemText();
  const isWritten = hasContent(draft);
  const isFile = draft.audience === 'clients' || draft.audience === 'phones';
  const query = useAsked<Preview>(
    'mailings/preview/',
    draft,
    (one) => ({ ...contentOf(one), ...audienceOf(one) }),
    {
      enabled: isWritten && !isFile,
    },
  );
  return (
    <Paper withBorder p="md" component="section">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t.title}
        </Title>
        {query.isFetching && <Loader size="xs" aria-hidden />}
      </Group>
      <Stack gap="sm" aria-live="polite">
        {isFile && <Text>{t.fromFile}</Text>}
        {!isFile && !isWritten && <Text>{t.empty}</Text>}
        {!isFile && isWritten && query.isError && <Text>{problemText(query.error)}</Text>}
        {!isFile && isWritten && query.data && !query.isError && (
          <Messages recipients={query.data.recipients} />
        )}
      </Stack>
    </Paper>
  );
}

function Messages({ recipients }: { recipients: Preview['recipients'] }) {
  const t = useTexts(previewTexts);
  if (recipients.length === 0) return <Text>{t.nobody}</Text>;
  return (
    <>
      {recipients.map(({ profile, platform, text, problem }) => (
        <div key={`${profile.uuid} ${platform}`}>
          <Text size="sm" fw={600}>
            {profile.name ?? t.unnamed} · {platform.replaceAll('_', ' ')}
          </Text>
          <Paper withBorder px="sm" py="xs" radius="lg" mt={4}>
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text ?? problem ?? t.scenario}
            </Text>
          </Paper>
        </div>
      ))}
      <Text size="sm" c="dimmed">
        {t.help}
      </Text>
    </>
  );
}
