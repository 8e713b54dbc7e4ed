import { Alert, Button, Checkbox, Fieldset, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Colleagues, MailingTested } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useAction } from '../../../shared/action.ts';
import { texts, useTexts } from '../../../shared/language.tsx';
import { platformName } from '../../../shared/platforms.ts';
import { useApi, useProjectId } from '../../api.ts';
import { messageStates } from '../../channels/message-states.ts';
import { TextLink } from '../../links.tsx';
import { PushState } from '../../push-state.tsx';
import { letterOf } from '../letter.ts';
import { bodyOf, type Draft } from './draft.ts';

const testTexts = texts(
  {
    title: 'Test',
    needed: (most: string) =>
      `This mailing goes to more than ${most} recipients. It can start after it was sent to a colleague as it is now.`,
    lead: 'The message goes to colleagues only and is not counted. Links are not tracked. Promo codes are samples.',
    nobody: 'Nobody is marked as a colleague yet. Mark yourself on your own client page.',
    toClients: 'Profiles',
    send: 'Send the test',
    variant: (letter: string) => `Variant ${letter}`,
    unnamed: 'No name',
    noChat: 'no chat',
  },
  {
    ru: {
      title: 'Проверка на себе',
      needed: (most) =>
        `Получателей больше ${most}. Рассылку можно будет начать после того, как сообщение в нынешнем виде отправлено коллеге.`,
      lead: 'Сообщение получат только коллеги, в статистику оно не входит. Ссылки не отслеживаются. Промокоды даны для примера.',
      nobody: 'Коллеги пока не отмечены. Отметьте себя на своей странице клиента.',
      toClients: 'Профили',
      send: 'Отправить проверку',
      variant: (letter) => `Вариант ${letter}`,
      unnamed: 'Без имени',
      noChat: 'нет чата',
    },
  },
);

/** Sends the mailing as it is now to colleagues. `onSent` is called with each new state of what was sent. */
export function TestSend({
  draft,
  needsAbove,
  onSent,
}: {
  draft: Draft;
  /** The size above which a test is required. Null if it is not. */
  needsAbove: string | null;
  onSent(): Promise<unknown>;
}) {
  const t = useTexts(testTexts);
  const api = useApi();
  const project = useProjectId();
  const colleagues = useQuery({
    queryKey: [project, 'colleagues'],
    queryFn: ({ signal }) => api.get<Colleagues>('mailings/colleagues/', {}, signal),
  });
  return (
    <Fieldset legend={t.title}>
      <Stack gap="sm">
        {needsAbove !== null && (
          <Alert color="yellow" role="status">
            {t.needed(needsAbove)}
          </Alert>
        )}
        <Text size="sm">{t.lead}</Text>
        {colleagues.data?.results.length === 0 && (
          <Text size="sm">
            {t.nobody}{' '}
            <TextLink to="/$project/profiles/" params={{ project }} underline="always">
              {t.toClients}
            </TextLink>
          </Text>
        )}
        {colleagues.data && colleagues.data.results.length > 0 && (
          <Sending draft={draft} colleagues={colleagues.data.results} onSent={onSent} />
        )}
      </Stack>
    </Fieldset>
  );
}

function Sending({
  draft,
  colleagues,
  onSent,
}: {
  draft: Draft;
  colleagues: Colleagues['results'];
  onSent(): Promise<unknown>;
}) {
  const t = useTexts(testTexts);
  const api = useApi();
  const [chosen, setChosen] = useState<string[]>([]);
  const [sent, setSent] = useState<MailingTested['results']>([]);
  const { busy, run } = useAction(async () => {
    const { results } = await api.post<MailingTested>('mailings/test/', {
      ...bodyOf(draft),
      colleagues: chosen,
    });
    setSent(results);
  });
  return (
    <>
      <Checkbox.Group value={chosen} onChange={setChosen} aria-label={t.title}>
        <Group gap="md">
          {colleagues.map(({ profile, platform }) => (
            <Checkbox
              key={profile.uuid}
              value={profile.uuid}
              label={`${profile.name ?? t.unnamed} · ${platform ? platformName(platform) : t.noChat}`}
            />
          ))}
        </Group>
      </Checkbox.Group>
      <Group>
        <Button variant="default" loading={busy} disabled={chosen.length === 0} onClick={run}>
          {t.send}
        </Button>
      </Group>
      <div aria-live="polite">
        {sent.map((one) => (
          <Sent key={one.push ?? `${one.profile.uuid} ${one.variant}`} result={one} onState={onSent} />
        ))}
      </div>
    </>
  );
}

function Sent({
  result: { profile, variant, push, problem },
  onState,
}: {
  result: MailingTested['results'][number];
  onState(): unknown;
}) {
  const t = useTexts(testTexts);
  const states = useTexts(messageStates);
  return (
    <Group gap="xs">
      <Text size="sm" fw={600}>
        {profile.name ?? t.unnamed}
        {variant !== null && ` · ${t.variant(letterOf(variant))}`}
      </Text>
      {push ? (
        <PushState uuid={push} words={states} size="sm" onState={onState} />
      ) : (
        <Text size="sm">{problem}</Text>
      )}
    </Group>
  );
}
