import { LineChart } from '@mantine/charts';
import { Table, Text, Title, VisuallyHidden } from '@mantine/core';
import type { AudienceDay } from '../../../../src/people/console/audiences/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { audienceTexts } from './texts.ts';

/** The size of each day as a line, and for readers of tables with who came and left. */
export function Days({ days }: { days: AudienceDay[] }) {
  const t = useTexts(audienceTexts);
  const { number } = useFormat();
  const whole = days.filter(({ problem }) => problem === null);
  const problem = days.at(-1)?.problem ?? null;
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {t.history}
      </Title>
      {problem !== null && <Text c="red">{problem}</Text>}
      {whole.length === 0 && problem === null && <Text c="dimmed">{t.noHistory}</Text>}
      {whole.length > 0 && (
        <>
          <div aria-hidden>
            <LineChart
              h={160}
              data={whole}
              dataKey="day"
              curveType="linear"
              withDots={whole.length < 30}
              valueFormatter={number}
              yAxisProps={{ allowDecimals: false }}
              lineChartProps={{ accessibilityLayer: false, margin: { top: 8, right: 12 } }}
              series={[{ name: 'size', label: t.clients, color: 'teal.7' }]}
            />
          </div>
          <VisuallyHidden>
            <DayTable days={whole} />
          </VisuallyHidden>
        </>
      )}
    </section>
  );
}

function DayTable({ days }: { days: AudienceDay[] }) {
  const t = useTexts(audienceTexts);
  const { number } = useFormat();
  const known = (value: number | null) => (value === null ? '–' : number(value));
  return (
    <Table>
      <Table.Caption>{t.history}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.day}</Table.Th>
          <Table.Th>{t.clients}</Table.Th>
          <Table.Th>{t.came}</Table.Th>
          <Table.Th>{t.gone}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days.map(({ day, size, came, gone }) => (
          <Table.Tr key={day}>
            <Table.Td>{day}</Table.Td>
            <Table.Td>{number(size)}</Table.Td>
            <Table.Td>{known(came)}</Table.Td>
            <Table.Td>{known(gone)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
