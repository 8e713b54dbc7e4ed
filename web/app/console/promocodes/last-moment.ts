/** The last moment of the chosen day in the reader's time zone, or null for an empty field. */
export const lastMomentOf = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59.999`).toISOString();
