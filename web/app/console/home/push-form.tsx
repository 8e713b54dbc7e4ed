import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PushMessage } from '../../../../src/messaging/push-messages/schema.ts';
import type { Home } from '../../../../src/people/console/home/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi, useProjectId } from '../api.ts';
import { PushState } from '../push-state.tsx';
import { home } from './texts.ts';

/** Sends a push message to a recent client and follows its state. */
export function PushForm({ clients }: { clients: Home['clients'] }) {
  const api = useApi();
  const t = useTexts(home);
  const queries = useQueryClient();
  const projectId = useProjectId();
  const [sent, setSent] = useState<string | null>(null);
  const form = useForm({ initialValues: { chat: clients[0]?.chat ?? '', content: t.pushExample } });
  const { busy, problem, submit } = useSubmit(
    form,
    async ({ chat, content }: typeof form.values) => {
      // Also sends if a session is open, for example after a try of the chat center.
      const body = { chat: { uuid: chat }, content: { type: 'TEXT', text: content }, is_force: true };
      const { uuid } = await api.post<PushMessage>('push-messages/', body);
      setSent(uuid);
      await queries.invalidateQueries({ queryKey: [projectId, 'home'] });
    },
    { quiet: true },
  );
  return (
    <form onSubmit={form.onSubmit(submit)} style={{ width: '100%' }}>
      <Stack gap="xs">
        <Group align="flex-end" gap="sm">
          <Select
            label={t.pushTo}
            data={clients.map(({ chat, name, platform }) => ({
              value: chat,
              label: `${name} · ${platform.replaceAll('_', ' ')}`,
            }))}
            allowDeselect={false}
            {...form.getInputProps('chat')}
          />
          <TextInput label={t.pushWords} flex={1} miw={200} {...form.getInputProps('content')} />
          <Button type="submit" loading={busy}>
            {t.pushGo}
          </Button>
        </Group>
        <FormProblem text={problem} />
        {sent && <PushState key={sent} uuid={sent} words={t.states} size="sm" />}
      </Stack>
    </form>
  );
}
