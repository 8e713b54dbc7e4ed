import { Button, Modal, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RotatedSecret, TestCall, Webhook } from '../../../../src/people/console/webhooks/schema.ts';
import { useAction } from '../../shared/action.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useShowDone } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { CallResult } from './call-result.tsx';
import { ProjectWebhookButton } from './project-webhook.tsx';
import { SecretModal } from './secret-modal.tsx';
import { webhooks } from './texts.ts';

/** The actions for a webhook in its current state. */
export function Actions({ webhook }: { webhook: Webhook }) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const showDone = useShowDone();
  const t = useTexts(webhooks);
  const [secret, setSecret] = useState<string | null>(null);

  return (
    <>
      {webhook.disabled_at !== null && <EnableButton uuid={webhook.uuid} />}
      <TestButton uuid={webhook.uuid} />
      <ConfirmButton
        label={t.rotate}
        title={t.rotateTitle}
        color="teal"
        onConfirm={async () => {
          const made = await api.post<RotatedSecret>(`webhooks/${webhook.uuid}/rotate-secret/`);
          setSecret(made.secret);
        }}
      >
        {t.rotateText}
      </ConfirmButton>
      {webhook.disabled_at === null && (
        <ConfirmButton
          label={t.disable}
          title={t.disableTitle}
          onConfirm={async () => {
            await api.post(`webhooks/${webhook.uuid}/disable/`);
            showDone(t.disabledNow);
            await queries.invalidateQueries({ queryKey: [project, 'webhooks'] });
          }}
        >
          {t.disableText}
        </ConfirmButton>
      )}
      <ConfirmButton
        label={t.remove}
        title={t.removeTitle}
        onConfirm={async () => {
          await api.delete(`webhooks/${webhook.uuid}/`);
          await queries.invalidateQueries({ queryKey: [project, 'webhooks'] });
          await navigate({ to: '/$project/webhooks/', params: { project } });
        }}
      >
        {t.removeText}
      </ConfirmButton>
      {webhook.application === null && <ProjectWebhookButton webhook={webhook} />}
      <SecretModal secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function EnableButton({ uuid }: { uuid: string }) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const showDone = useShowDone();
  const t = useTexts(webhooks);
  const { busy, run } = useAction(async () => {
    await api.post(`webhooks/${uuid}/enable/`);
    showDone(t.enabled);
    await queries.invalidateQueries({ queryKey: [project, 'webhooks'] });
  });
  return (
    <Button loading={busy} onClick={run}>
      {t.enable}
    </Button>
  );
}

function TestButton({ uuid }: { uuid: string }) {
  const api = useApi();
  const t = useTexts(webhooks);
  const words = useTexts(common);
  const [result, setResult] = useState<TestCall | null>(null);
  const { busy, run } = useAction(async () => {
    setResult(await api.post<TestCall>(`webhooks/${uuid}/test/`));
  });

  return (
    <>
      <Button variant="default" loading={busy} onClick={run} leftSection={<IconSend size={18} aria-hidden />}>
        {t.test}
      </Button>
      <Modal
        opened={result !== null}
        onClose={() => setResult(null)}
        title={t.testTitle}
        size="lg"
        centered
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <Stack>
          <Text>{t.testText}</Text>
          {result && <CallResult call={result} />}
        </Stack>
      </Modal>
    </>
  );
}
