/** `styles` of a field that holds code. */
export const codeInput = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } as const;
