import { type CSSVariablesResolver, createTheme, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { PropsWithChildren } from 'react';
import { ApiProblem } from './api.ts';
import { LanguageProvider } from './language.tsx';
import { styleNonce } from './page.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './direction.css';
import './less-motion.css';
import './long-words.css';

const theme = createTheme({
  primaryColor: 'teal',
  // White has too little contrast with the lighter shades (WCAG AA).
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The head of a dialog is a <header>, which must not count as a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // A link on the table's own, darker grey has too little contrast.
    Table: { defaultProps: { highlightOnHoverColor: 'var(--mantine-color-default-hover)' } },
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
});

/** Darker than the button: white text on the theme's own, lighter colour has too little contrast for WCAG AA. */
const filledHover = { '--mantine-color-teal-filled-hover': '#056148' };

/**
 * The theme's grey for secondary text, its red for errors and its colours on their own light shades have too little contrast for WCAG AA.
 */
const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-teal-light-color': '#056148',
    '--mantine-color-yellow-light-color': '#7a3e00',
    '--mantine-color-orange-light-color': '#8a2f04',
    ...filledHover,
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    ...filledHover,
  },
});

declare global {
  var __webpack_nonce__: string | undefined;
}
// The name under which the library for scroll locking looks for the nonce.
globalThis.__webpack_nonce__ = styleNonce;

const isWorthAnotherTry = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiProblem && error.status < 500);

const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: isWorthAnotherTry, refetchOnWindowFocus: true } },
});

/** The wrapper of every page of both apps. */
export function Provider({ children }: PropsWithChildren) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => styleNonce}
    >
      <Notifications position="bottom-center" />
      <LanguageProvider>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  );
}
