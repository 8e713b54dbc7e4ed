import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from './language.tsx';
import { common } from './texts.ts';

/** The error of a whole form, or nothing. */
export function FormProblem({ text, mt }: { text: ReactNode; mt?: 'xs' }) {
  if (!text) return null;
  return (
    <Alert color="red" role="alert" mt={mt}>
      {text}
    </Alert>
  );
}

/** The buttons at the end of a form that can be cancelled. */
export function FormButtons({
  action,
  busy,
  disabled,
  onCancel,
}: {
  action: string;
  busy: boolean;
  disabled?: boolean;
  onCancel(): void;
}) {
  const t = useTexts(common);
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {t.cancel}
      </Button>
      <Button type="submit" loading={busy} disabled={disabled}>
        {action}
      </Button>
    </Group>
  );
}
