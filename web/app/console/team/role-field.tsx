import { Radio, Stack } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { teamTexts } from './texts.ts';

export function RoleField(props: Omit<ComponentProps<typeof Radio.Group>, 'children'>) {
  const t = useTexts(teamTexts);
  return (
    <Radio.Group label={t.role} {...props}>
      <Stack gap="xs" mt={4}>
        <Radio value="operator" label={t.operator} description={t.operatorHint} />
        <Radio value="admin" label={t.admin} description={t.adminHint} />
      </Stack>
    </Radio.Group>
  );
}
