import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ChannelDetails } from '../../../../src/people/console/channels/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { channels } from './texts.ts';
import { useTestPush } from './use-test-push.tsx';

/** A test message to the newest chat of the channel, with its delivery state. */
export function TestMessage({ channel }: { channel: ChannelDetails }) {
  const t = useTexts(channels);
  const { newest_chat: chat } = channel;
  return chat ? <Test chat={chat} isPaused={channel.state === 'paused'} /> : <Text>{t.testNobody}</Text>;
}

type TestProps = { chat: NonNullable<ChannelDetails['newest_chat']>; isPaused: boolean };

function Test({ chat, isPaused }: TestProps) {
  const t = useTexts(channels);
  const { ago } = useFormat();
  const { form, busy, problem, onSubmit, state } = useTestPush({ content: t.testExample }, () => chat);
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs" maw={560}>
        <Text>{t.testTo(chat.name ?? t.nobody, ago(chat.created_at))}</Text>
        {isPaused && <Text>{t.testPaused}</Text>}
        <Group align="flex-end" wrap="nowrap">
          <TextInput label={t.testWords} flex={1} {...form.getInputProps('content')} />
          <Button type="submit" variant="default" loading={busy}>
            {t.testGo}
          </Button>
        </Group>
        <FormProblem text={problem} />
        {state}
      </Stack>
    </form>
  );
}
