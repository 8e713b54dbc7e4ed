import { Alert, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { makingTexts } from './making-texts.ts';
import { type Fate, mostProblems, type Outcome } from './run-import.ts';

const fates: Fate[] = ['added', 'duplicate', 'too_long', 'unreadable', 'blank'];

/** The result of the import, with the lines that were not added. */
export function ImportOutcome({ outcome: { counts, problems } }: { outcome: Outcome }) {
  const t = useTexts(makingTexts);
  const { number } = useFormat();
  return (
    <Stack gap="xs">
      <Alert color={problems.length > 0 ? 'yellow' : 'teal'} role="status">
        {fates
          .filter((fate) => fate === 'added' || counts[fate] > 0)
          .map((fate) => (
            <Text key={fate} size="sm">
              {t[fate]}: {t.lines(counts[fate])}
            </Text>
          ))}
      </Alert>
      {problems.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            {t.problems}
          </Text>
          {problems.length === mostProblems && <Text size="sm">{t.firstProblems(number(mostProblems))}</Text>}
          <ScrollArea.Autosize mah={200} viewportProps={{ tabIndex: 0 }}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t.line}</Table.Th>
                  <Table.Th>{t.what}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {problems.map(({ number: line, code, fate }) => (
                  <Table.Tr key={line}>
                    <Table.Th scope="row">{number(line)}</Table.Th>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>
                      {t[fate]}: {code.slice(0, 40)}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea.Autosize>
        </>
      )}
    </Stack>
  );
}
