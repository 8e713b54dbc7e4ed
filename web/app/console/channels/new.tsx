import { Chip, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Channel, Messenger } from '../../../../src/people/console/channels/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { platformName } from './platform.ts';
import { type Filled, SettingsForm } from './settings-form.tsx';
import { channels } from './texts.ts';
import { useMessengers } from './use-messengers.ts';

export default function NewChannel() {
  const t = useTexts(channels);
  const { data, error, isPending, refetch } = useMessengers();
  return (
    <>
      <PageHead title={t.newTitle} lead={t.newLead} />
      {isPending && <Loading />}
      {error && <LoadProblem error={error} onRetry={refetch} />}
      {data && <Chosen messengers={data} />}
    </>
  );
}

function Chosen({ messengers }: { messengers: Messenger[] }) {
  const t = useTexts(channels);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const project = useProjectId();
  const [platform, choose] = useState<string>('Telegram');
  const messenger = messengers.find((one) => one.platform === platform) ?? messengers[0];
  if (!messenger) return null;

  async function add({ name, settings }: Filled) {
    const { uuid } = await api.post<Channel>('channels/', { platform: messenger?.platform, name, settings });
    await queries.invalidateQueries({ queryKey: [project] });
    await navigate({ to: '/$project/channels/$channel/', params: { project, channel: uuid } });
  }

  return (
    <Stack align="flex-start">
      <Chip.Group value={messenger.platform} onChange={choose}>
        <Group role="radiogroup" aria-label={t.messenger} gap="xs">
          {messengers.map((one) => (
            <Chip key={one.platform} value={one.platform}>
              {platformName(one.platform)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {messenger.platform === 'Widget' && <Text>{t.widgetPage}</Text>}
      <SettingsForm
        key={messenger.platform}
        messenger={messenger}
        name={platformName(messenger.platform)}
        known={{}}
        secrets={[]}
        action={t.add}
        send={add}
      />
    </Stack>
  );
}
