import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { PushMessage } from '../../../../src/messaging/push-messages/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi } from '../api.ts';
import { PushState } from '../push-state.tsx';
import { guideTexts } from './guide-texts.ts';
import { messageStates } from './message-states.ts';

/** A test text to somebody who has not written yet. */
export function TestByPhone({ contentType }: { contentType: string }) {
  const api = useApi();
  const t = useTexts(guideTexts);
  const states = useTexts(messageStates);
  const [sent, setSent] = useState<string | null>(null);
  const form = useForm({ initialValues: { profile: '', content: t.answerExample } });
  const { busy, problem, submit } = useSubmit(
    form,
    async ({ profile, content }: typeof form.values) => {
      const { uuid } = await api.post<PushMessage>('push-messages/', {
        profile: { phone_number: profile },
        content: { type: contentType, text: content },
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
          {...form.getInputProps('profile')}
          error={form.errors['profile.phone_number'] ?? form.errors.profile}
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
