import { List, Text } from '@mantine/core';
import type { Rival } from '../../../../../src/people/console/scenarios/starters/schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { useProjectId } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { startTexts } from './texts.ts';

/** The other scenarios that the same message may start. */
export function Rivals({ lead, rivals }: { lead: string; rivals: readonly Rival[] }) {
  const t = useTexts(startTexts);
  const project = useProjectId();
  return (
    <>
      <Text size="sm">{lead}</Text>
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
    </>
  );
}
