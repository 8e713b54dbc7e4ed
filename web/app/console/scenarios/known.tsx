import { Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import type { PlayedScenario } from '../../../../src/people/console/scenarios/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { runnerTexts } from './runner-texts.ts';

/** The current state of the scenario, and its changes to the profile. */
export function Known({ played: { variables, attributes, tags } }: { played: PlayedScenario }) {
  const t = useTexts(runnerTexts);
  return (
    <Stack gap={6}>
      <Title order={2} size="h5">
        {t.known}
      </Title>
      <Values title={t.variables} values={variables} />
      <Values title={t.attributes} values={attributes} />
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {t.tags}
        </Text>
        <Text size="sm">{tags.length > 0 ? tags.join(', ') : t.nothing}</Text>
      </Group>
    </Stack>
  );
}

function Values({ title, values }: { title: string; values: object }) {
  const t = useTexts(runnerTexts);
  const entries = Object.entries(values).filter(([, value]) => value !== null);
  if (entries.length === 0) {
    return (
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm">{t.nothing}</Text>
      </Group>
    );
  }
  return (
    <Table verticalSpacing={2} fz="sm">
      <Table.Caption style={{ captionSide: 'top', textAlign: 'start' }}>{title}</Table.Caption>
      <Table.Tbody>
        {entries.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="40%">
              {name}
            </Table.Th>
            <Table.Td>
              <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(value)}</Code>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
