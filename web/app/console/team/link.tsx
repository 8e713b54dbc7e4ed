import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { TeamMember, WayIn } from '../../../../src/people/console/team/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { useProblemText } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi } from '../api.ts';
import { teamTexts } from './texts.ts';
import { WayInNote } from './way-in.tsx';

export function LinkButton({ member: { uuid, name, email } }: { member: TeamMember }) {
  const t = useTexts(teamTexts);
  const words = useTexts(common);
  const api = useApi();
  const problemText = useProblemText();
  const [opened, { open, close }] = useDisclosure();
  const link = useMutation({ mutationFn: () => api.post<WayIn>(`team/${uuid}/link/`) });
  function end() {
    close();
    link.reset();
  }
  return (
    <>
      <Button variant="default" size="xs" onClick={open} aria-label={`${t.link}: ${name}`}>
        {t.link}
      </Button>
      <Modal
        opened={opened}
        onClose={end}
        title={t.linkTitle(name)}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <Stack>
          {link.data ? <WayInNote email={email} way={link.data} /> : <Text>{t.linkLead}</Text>}
          {link.isError && (
            <Alert color="red" role="alert">
              {problemText(link.error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={end}>
              {link.data ? words.close : words.cancel}
            </Button>
            {!link.data && (
              <Button loading={link.isPending} onClick={() => link.mutate()}>
                {t.makeLink}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
