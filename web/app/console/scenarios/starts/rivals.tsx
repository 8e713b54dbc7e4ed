import { Alert, List, type MantineSpacing, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Rival } from '../../../../../src/people/console/scenarios/starters/schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { useProjectId } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { startTexts } from './texts.ts';

type Props = { rivals: readonly Rival[]; isTaken?: boolean; mt?: MantineSpacing };

/** The other scenarios that the same event may start. If the trigger is taken, it cannot be added. */
export function Rivals({ rivals, isTaken = false, mt }: Props) {
  const t = useTexts(startTexts);
  const project = useProjectId();
  return (
    <Alert
      variant="default"
      icon={
        <IconAlertTriangle color={`var(--mantine-color-${isTaken ? 'red' : 'yellow'}-filled)`} aria-hidden />
      }
      p="xs"
      mt={mt}
    >
      <Text size="sm">{isTaken ? t.taken : t.overlapping}</Text>
      <List size="sm">
        {rivals.map(({ scenario, kind, value, to, label }) => (
          <List.Item key={`${kind} ${value} ${to}`} style={{ overflowWrap: 'anywhere' }}>
            <TextLink
              fz="sm"
              underline="always"
              to="/$project/scenarios/$scenario/"
              params={{ project, scenario: String(scenario.id) }}
            >
              {scenario.name}
            </TextLink>
            {': '}
            {t.told[kind](label, to)}
          </List.Item>
        ))}
      </List>
      {!isTaken && <Text size="sm">{t.rule}</Text>}
    </Alert>
  );
}

/** The words of consent that are a scenario's keyword, and therefore may not start it. */
export function ConsentWords({ words, mt }: { words: readonly string[]; mt?: MantineSpacing }) {
  const t = useTexts(startTexts);
  if (words.length === 0) return null;
  return (
    <Alert
      variant="default"
      icon={<IconAlertTriangle color="var(--mantine-color-yellow-filled)" aria-hidden />}
      p="xs"
      mt={mt}
    >
      <Text size="sm">{t.consent(words.join(', '))}</Text>
    </Alert>
  );
}
