import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { PushMessage } from '../../../../src/messaging/push-messages/schema.ts';
import type { ChannelDetails } from '../../../../src/people/console/channels/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi } from '../api.ts';
import { PushState } from '../push-state.tsx';
import { messageStates } from './message-states.ts';
import { channels } from './texts.ts';

/** A test message to the newest chat of the channel, with its delivery state. */
export function TestMessage({ channel }: { channel: ChannelDetails }) {
  const api = useApi();
  const t = useTexts(channels);
  const states = useTexts(messageStates);
  const { ago } = useFormat();
  const [sent, setSent] = useState<string | null>(null);
  const form = useForm({ initialValues: { content: t.testExample } });
  const { newest_chat: chat } = channel;
  const { busy, problem, submit } = useSubmit(
    form,
    async ({ content }: typeof form.values) => {
      const { uuid } = await api.post<PushMessage>('push-messages/', {
        chat: { uuid: chat?.uuid },
        content: { type: 'TEXT', text: content },
        is_force: true,
      });
      setSent(uuid);
    },
    { quiet: true },
  );
  if (!chat) return <Text>{t.testNobody}</Text>;
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="xs" maw={560}>
        <Text>{t.testTo(chat.name ?? t.nobody, ago(chat.created_at))}</Text>
        {channel.state === 'paused' && <Text>{t.testPaused}</Text>}
        <Group align="flex-end" wrap="nowrap">
          <TextInput label={t.testWords} flex={1} {...form.getInputProps('content')} />
          <Button type="submit" variant="default" loading={busy}>
            {t.testGo}
          </Button>
        </Group>
        <FormProblem text={problem} />
        {sent && <PushState key={sent} uuid={sent} words={states} />}
      </Stack>
    </form>
  );
}
