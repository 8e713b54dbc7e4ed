import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { PushMessage } from '../../../../src/messaging/push-messages/schema.ts';
import type { ChatOpened } from '../../../../src/people/console/channels/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi } from '../api.ts';
import { PushState } from '../push-state.tsx';
import { guideTexts } from './guide-texts.ts';
import { messageStates } from './message-states.ts';

/** A test text to somebody who has not written yet. */
export function TestByPhone({ channel }: { channel: string }) {
  const api = useApi();
  const t = useTexts(guideTexts);
  const states = useTexts(messageStates);
  const [sent, setSent] = useState<string | null>(null);
  const form = useForm({ initialValues: { phone_number: '', content: t.answerExample } });
  const { busy, problem, submit } = useSubmit(
    form,
    async ({ phone_number, content }: typeof form.values) => {
      const { chat } = await api.post<ChatOpened>(`channels/${channel}/open-chat/`, { phone_number });
      const { uuid } = await api.post<PushMessage>('push-messages/', {
        chat,
        content: { type: 'TEXT', text: content },
        is_force: true,
      });
      setSent(uuid);
    },
    { quiet: true },
  );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="xs" maw={480}>
        <TextInput
          label={t.phone}
          description={t.phoneHint}
          type="tel"
          required
          {...form.getInputProps('phone_number')}
        />
        <TextInput label={t.phoneText} required {...form.getInputProps('content')} />
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" variant="default" loading={busy}>
            {t.send}
          </Button>
        </Group>
        {sent && <PushState key={sent} uuid={sent} words={states} />}
      </Stack>
    </form>
  );
}
