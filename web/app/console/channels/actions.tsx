import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlugConnected } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ChannelDetails } from '../../../../src/people/console/channels/schema.ts';
import { useAction } from '../../shared/action.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useShowDone } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { channels } from './texts.ts';

/** The actions for a channel in its current state. */
export function Actions({ channel, canCheck }: { channel: ChannelDetails; canCheck: boolean }) {
  const api = useApi();
  const refresh = useRefresh();
  const showDone = useShowDone();
  const t = useTexts(channels);

  const ask = (what: 'resume' | 'check', done: string) => async () => {
    await api.post(`channels/${channel.uuid}/${what}/`);
    showDone(done);
    await refresh();
  };
  const check = useAction(ask('check', t.checked));
  const resume = useAction(ask('resume', t.resumed));

  return (
    <>
      {canCheck && (
        <Button
          variant="default"
          loading={check.busy}
          onClick={check.run}
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
          loading={resume.busy}
          onClick={resume.run}
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
        >
          {t.resume}
        </Button>
      )}
      {!channel.has_chats && <RemoveButton uuid={channel.uuid} />}
    </>
  );
}

function useRefresh() {
  const project = useProjectId();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [project, 'channels'] });
}

function RemoveButton({ uuid }: { uuid: string }) {
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const t = useTexts(channels);
  const words = useTexts(common);

  async function remove() {
    await api.delete(`channels/${uuid}/`);
    await navigate({ to: '/$project/channels/', params: { project } });
    await refresh();
  }

  return (
    <ConfirmButton label={words.delete} title={t.deleteTitle} onConfirm={remove}>
      {t.deleteText}
    </ConfirmButton>
  );
}
