/** `styles` of a field with code. */
export const codeInput = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } as const;
