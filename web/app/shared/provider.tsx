import { createTheme, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { PropsWithChildren } from 'react';
import { ApiProblem } from './api.ts';
import { LanguageProvider } from './language.tsx';
import { styleNonce } from './page.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';

const theme = createTheme({
  primaryColor: 'teal',
  // The lighter shades do not stand out enough from white, nor the darker ones from black (WCAG AA).
  primaryShade: { light: 9, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
});

declare global {
  var __webpack_nonce__: string | undefined;
}
// The name under which the library that holds the page's scroll looks for it.
globalThis.__webpack_nonce__ = styleNonce;

const isWorthAnotherTry = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiProblem && error.status < 500);

const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: isWorthAnotherTry, refetchOnWindowFocus: true } },
});

/** What every page of both apps lives in. */
export function Provider({ children }: PropsWithChildren) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <Notifications position="bottom-center" />
      <LanguageProvider>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  );
}
