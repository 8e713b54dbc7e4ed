import { Button, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconSend } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RotatedSecret, TestCall, Webhook } from '../../../../src/console/webhooks/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useShowProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { CallResult } from './call-result.tsx';
import { ProjectWebhookButton } from './project-webhook.tsx';
import { SecretModal } from './secret-modal.tsx';
import { webhooks } from './texts.ts';

/** What can be done with a webhook as it stands. */
export function Actions({ webhook }: { webhook: Webhook }) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const showProblem = useShowProblem();
  const t = useTexts(webhooks);
  const [busy, setBusy] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);

  async function enable() {
    setBusy(true);
    try {
      await api.post(`webhooks/${webhook.uuid}/enable/`);
      notifications.show({ color: 'teal', message: t.enabled });
      await queries.invalidateQueries({ queryKey: [project, 'webhooks'] });
    } catch (error) {
      showProblem(error);
    }
    setBusy(false);
  }

  return (
    <>
      {webhook.disabled_at !== null && (
        <Button loading={busy} onClick={enable}>
          {t.enable}
        </Button>
      )}
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
      {webhook.application === null && <ProjectWebhookButton webhook={webhook} />}
      <SecretModal secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function TestButton({ uuid }: { uuid: string }) {
  const api = useApi();
  const showProblem = useShowProblem();
  const t = useTexts(webhooks);
  const words = useTexts(common);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<TestCall | null>(null);

  async function send() {
    setBusy(true);
    try {
      setResult(await api.post<TestCall>(`webhooks/${uuid}/test/`));
    } catch (error) {
      showProblem(error);
    }
    setBusy(false);
  }

  return (
    <>
      <Button
        variant="default"
        loading={busy}
        onClick={send}
        leftSection={<IconSend size={18} aria-hidden />}
      >
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
