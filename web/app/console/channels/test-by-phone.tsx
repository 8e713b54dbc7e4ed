import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { ChatOpened } from '../../../../src/people/console/channels/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useApi } from '../api.ts';
import { guideTexts } from './guide-texts.ts';
import { useTestPush } from './use-test-push.tsx';

/** A test text to somebody who has not written yet. */
export function TestByPhone({ channel }: { channel: string }) {
  const api = useApi();
  const t = useTexts(guideTexts);
  const { form, busy, problem, onSubmit, state } = useTestPush(
    { phone_number: '', content: t.answerExample },
    async ({ phone_number }) =>
      (await api.post<ChatOpened>(`channels/${channel}/open-chat/`, { phone_number })).chat,
  );
  return (
    <form onSubmit={onSubmit}>
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
        {state}
      </Stack>
    </form>
  );
}
