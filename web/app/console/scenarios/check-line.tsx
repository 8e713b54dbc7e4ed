import { Alert, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { CheckedScenario } from '../../../../src/people/console/scenarios/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { editTexts } from './edit-texts.ts';

/** The line below the editor: whether the text is a valid scenario. Errors are marked in the editor. */
export function CheckLine({ checked, isJson }: { checked?: CheckedScenario; isJson: boolean }) {
  const t = useTexts(editTexts);
  const { number } = useFormat();
  const count = checked?.complaints.length ?? 0;
  const isRight = isJson && count === 0;
  const Icon = isRight ? IconCircleCheck : IconAlertTriangle;
  const words = !isJson ? t.notJson : count > 0 ? t.correct(number(count)) : t.right;
  return (
    <Group gap={6} mih={24} role="status">
      {(checked || !isJson) && (
        <>
          <Icon size={18} aria-hidden />
          <Text size="sm">{words}</Text>
        </>
      )}
    </Group>
  );
}

const kinds = ['promocode_groups', 'scenarios', 'attributes', 'tags', 'audiences'] as const;

/** Objects that the scenario uses by name and the project does not have. */
export function Missing({ missing }: { missing: CheckedScenario['missing'] }) {
  const t = useTexts(editTexts);
  const absent = kinds.filter((kind) => missing[kind].length > 0);
  if (absent.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
      {t.missing}
      <List size="sm">
        {absent.map((kind) => (
          <List.Item key={kind}>{t[kind](missing[kind].join(', '))}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
