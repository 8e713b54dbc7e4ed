import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay, IconPlugConnected } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ChannelDetails } from '../../../../src/console/channels/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useShowProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { channels } from './texts.ts';

/** What can be done with a channel as it stands. */
export function Actions({ channel, canCheck }: { channel: ChannelDetails; canCheck: boolean }) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const showProblem = useShowProblem();
  const t = useTexts(channels);
  const words = useTexts(common);
  const [busy, setBusy] = useState<string | null>(null);

  const refresh = () => queries.invalidateQueries({ queryKey: [project, 'channels'] });

  async function ask(what: 'resume' | 'check', done: string) {
    setBusy(what);
    try {
      await api.post(`channels/${channel.uuid}/${what}/`);
      notifications.show({ color: 'teal', message: done });
      await refresh();
    } catch (error) {
      showProblem(error);
    }
    setBusy(null);
  }

  async function remove() {
    await api.delete(`channels/${channel.uuid}/`);
    await navigate({ to: '/$project/channels/', params: { project } });
    await refresh();
  }

  return (
    <>
      {canCheck && (
        <Button
          variant="default"
          loading={busy === 'check'}
          onClick={() => ask('check', t.checked)}
          leftSection={<IconPlugConnected size={18} aria-hidden />}
        >
          {t.check}
        </Button>
      )}
      {channel.state === 'active' ? (
        <ConfirmButton
          label={t.pause}
          title={t.pauseTitle}
          onConfirm={async () => {
            await api.post(`channels/${channel.uuid}/pause/`);
            await refresh();
          }}
        >
          {t.pauseText}
        </ConfirmButton>
      ) : (
        <Button
          loading={busy === 'resume'}
          onClick={() => ask('resume', t.resumed)}
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
        >
          {t.resume}
        </Button>
      )}
      {!channel.has_chats && (
        <ConfirmButton label={words.delete} title={t.deleteTitle} onConfirm={remove}>
          {t.deleteText}
        </ConfirmButton>
      )}
    </>
  );
}
