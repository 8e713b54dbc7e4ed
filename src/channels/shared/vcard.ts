/** The values of this field in a vCard. */
export const cardFields = (card: string | null | undefined, field: 'FN' | 'TEL'): string[] =>
  (card ?? '')
    .split(/\r\n|\r|\n/)
    .flatMap((line) => new RegExp(`^${field}(?:;[^:]*)?:(?:tel:)?(.+)$`).exec(line)?.[1]?.trim() ?? []);
