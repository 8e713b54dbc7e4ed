import { Alert, Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiProblem } from './api.ts';
import { useTexts } from './language.tsx';
import { common } from './texts.ts';
import { Unreachable } from './unreachable.ts';

/** The message of an error, for the reader. */
export function useProblemText(): (error: unknown) => string {
  const t = useTexts(common);
  return (error) => {
    if (error instanceof Unreachable) return t.unreachable;
    return error instanceof ApiProblem ? error.message : t.failed;
  };
}

/** Shows the error of an action outside of forms. */
export function useShowProblem(): (error: unknown) => void {
  const textOf = useProblemText();
  const t = useTexts(common);
  return (error) =>
    notifications.show({
      color: 'red',
      message: textOf(error),
      role: 'alert',
      closeButtonProps: { 'aria-label': t.close },
    });
}

/** Confirms a success; in yellow if it is only partial. */
export function useShowDone(): (message: string, color?: 'teal' | 'yellow') => void {
  const t = useTexts(common);
  return (message, color = 'teal') =>
    notifications.show({ color, message, closeButtonProps: { 'aria-label': t.close } });
}

/** Shown instead of content that could not be loaded. */
export function LoadProblem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const textOf = useProblemText();
  const t = useTexts(common);
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Stack align="flex-start" gap="xs">
        {textOf(error)}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
