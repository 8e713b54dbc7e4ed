import { Alert, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Home } from '../../../../src/people/console/home/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { home } from './texts.ts';

const places = {
  channel_paused: '/$project/channels/',
  webhook_disabled: '/$project/webhooks/',
  mailing_error: '/$project/mailings/',
} as const;

export function Troubles({ troubles }: { troubles: Home['troubles'] }) {
  const project = useProjectId();
  const t = useTexts(home);
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t.troubles}>
      <List>
        {troubles.map(({ kind, uuid, name, detail }) => (
          <List.Item key={uuid}>
            {t[kind]}:{' '}
            <TextLink to={places[kind]} params={{ project }} c="inherit" underline="always">
              {name}
            </TextLink>
            {detail && `. ${detail}`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
