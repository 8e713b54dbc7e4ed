import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { PushMessage } from '../../../../src/messaging/push-messages/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi } from '../api.ts';
import { PushState } from '../push-state.tsx';
import { messageStates } from './message-states.ts';

type Chat = { uuid: string };

/** A form that sends a test message to a chat. `state` follows the sent message. */
export function useTestPush<Values extends { content: string }>(
  initialValues: Values,
  chatFor: (values: Values) => Chat | Promise<Chat>,
) {
  const api = useApi();
  const states = useTexts(messageStates);
  const [sent, setSent] = useState<string | null>(null);
  const form = useForm<Values>({ initialValues });
  const { busy, problem, submit } = useSubmit(
    form,
    async (values: Values) => {
      const chat = await chatFor(values);
      const { uuid } = await api.post<PushMessage>('push-messages/', {
        chat: { uuid: chat.uuid },
        content: { type: 'TEXT', text: values.content },
        is_force: true,
      });
      setSent(uuid);
    },
    { quiet: true },
  );
  const state = sent && <PushState key={sent} uuid={sent} words={states} />;
  return { form, busy, problem, onSubmit: form.onSubmit(submit), state };
}
