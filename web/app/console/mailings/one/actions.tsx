import { Button } from '@mantine/core';
import { IconCopy, IconPencil, IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { useAction } from '../../../shared/action.ts';
import { ConfirmButton } from '../../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { useShowDone } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { ButtonLink } from '../../links.tsx';
import { ApprovalActions } from './approval.tsx';
import { OverrideButton } from './override.tsx';
import { ResendButton } from './resend.tsx';
import { oneTexts } from './texts.ts';

/** The actions for a mailing in its current state. */
export function MailingActions({ detail }: { detail: MailingDetail }) {
  const t = useTexts(oneTexts);
  const project = useProjectId();
  const { summary, obeys } = detail;
  const { state, counts, uuid } = summary;
  const isDraft =
    state === 'planned' && !summary.awaits_approval && summary.next_at === null && counts.planned === 0;
  const isOpen = state === 'in_process' || state === 'planned';
  const hasEnded = state !== 'in_process' && counts.planned > 0 && counts.pending === 0;
  return (
    <>
      {isDraft && (
        <ButtonLink
          to="/$project/mailings/new/"
          params={{ project }}
          search={{ draft: uuid }}
          leftSection={<IconPencil size={16} aria-hidden />}
        >
          {t.goOn}
        </ButtonLink>
      )}
      <ApprovalActions detail={detail} />
      {isOpen && (obeys.quiet_hours || obeys.cap) && <OverrideButton detail={detail} />}
      {isOpen && <StopButton summary={summary} />}
      {hasEnded && counts.undelivered > 0 && <ResendButton summary={summary} />}
      {state !== 'in_process' && counts.planned > 0 && <RecountButton uuid={uuid} />}
      <ButtonLink
        to="/$project/mailings/new/"
        params={{ project }}
        search={{ from: uuid }}
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden />}
      >
        {t.clone}
      </ButtonLink>
    </>
  );
}

function useReload(): () => Promise<void> {
  const queries = useQueryClient();
  const project = useProjectId();
  return async () => {
    await queries.invalidateQueries({ queryKey: [project, 'mailing'] });
  };
}

function StopButton({ summary: { uuid, state, counts } }: { summary: MailingDetail['summary'] }) {
  const t = useTexts(oneTexts);
  const { number } = useFormat();
  const api = useApi();
  const reload = useReload();
  async function stop() {
    await api.post(`mailings/${uuid}/stop/`);
    await reload();
  }
  return (
    <ConfirmButton label={t.stop} title={t.stopTitle} onConfirm={stop}>
      {state === 'planned' && counts.planned === 0
        ? t.stopPlanned
        : t.stopSays(number(counts.sent), number(counts.pending))}
    </ConfirmButton>
  );
}

function RecountButton({ uuid }: { uuid: string }) {
  const t = useTexts(oneTexts);
  const api = useApi();
  const reload = useReload();
  const showDone = useShowDone();
  const { busy, run } = useAction(async () => {
    await api.post(`mailings/${uuid}/calculate/`);
    await reload();
    showDone(t.recounted);
  });
  return (
    <Button
      variant="default"
      loading={busy}
      onClick={run}
      leftSection={<IconRefresh size={16} aria-hidden />}
    >
      {t.recount}
    </Button>
  );
}
