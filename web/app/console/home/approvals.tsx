import { Alert, List } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import type { Home } from '../../../../src/people/console/home/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { home } from './texts.ts';

/** The mailings that wait for the reader. */
export function Approvals({ approvals }: { approvals: Home['approvals'] }) {
  const project = useProjectId();
  const t = useTexts(home);
  const { ago } = useFormat();
  return (
    <Alert color="yellow" icon={<IconUserCheck aria-hidden />} title={t.approvals}>
      <List>
        {approvals.map(({ uuid, name, author, at }) => (
          <List.Item key={uuid}>
            <TextLink
              to="/$project/mailings/$mailing/"
              params={{ project, mailing: uuid }}
              c="inherit"
              underline="always"
            >
              {name}
            </TextLink>
            {`. ${t.asked(author ?? t.somebody, ago(at))}`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
