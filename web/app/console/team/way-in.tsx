import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import type { WayIn } from '../../../../src/people/console/team/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { CopyText, SecretText } from '../../shared/page-parts.tsx';
import { teamTexts } from './texts.ts';

/** How a member can sign in. */
export function WayInNote({ email, way: { way, link, mail_failed } }: { email: string; way: WayIn }) {
  const t = useTexts(teamTexts);
  const command = `patchbay user reset-password ${email}`;
  return (
    <Stack role="status">
      {mail_failed && <Alert color="yellow">{t.mailFailed}</Alert>}
      {way === 'mailed' && <Text>{t.mailed(email)}</Text>}
      {way === 'link' && link !== null && (
        <>
          <Text>{t.passOn(email)}</Text>
          <SecretText value={link} />
        </>
      )}
      {way === 'command_line' && (
        <>
          <Text>{t.commandLine(email)}</Text>
          <Group gap="xs" wrap="nowrap">
            <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {command}
            </Code>
            <CopyText value={command} />
          </Group>
        </>
      )}
    </Stack>
  );
}
