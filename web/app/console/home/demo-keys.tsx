import { Alert, Button, Group, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../shared/action.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useApi, useProjectId } from '../api.ts';
import { home } from './texts.ts';

/** A reminder that the demo's keys were printed on a screen. */
export function DemoKeys({ endAt }: { endAt: string }) {
  const t = useTexts(home);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const { moment } = useFormat();
  const { busy, run } = useAction(async () => {
    await api.post('home/demo-keys/');
    await queries.invalidateQueries({ queryKey: [project, 'home'] });
  });
  return (
    <Alert icon={<IconKey aria-hidden />} role="status">
      <Group justify="space-between">
        <Text>{t.keysEnd(moment(endAt))}</Text>
        <Button variant="default" size="xs" loading={busy} onClick={run}>
          {t.keysKeep}
        </Button>
      </Group>
    </Alert>
  );
}
