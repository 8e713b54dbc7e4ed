/** The last moment of a day that a date field holds, where the reader lives; null for an empty field. */
export const lastMomentOf = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59.999`).toISOString();
