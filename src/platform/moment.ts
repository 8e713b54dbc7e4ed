/** The moment of an ISO 8601 text with a zone. Zones may also be `+0300` and `+03`, which `Date` does not read. */
export const momentOf = (text: string): Date =>
  new Date(
    text.replace(
      /(T[^T+-]*[+-]\d\d):?(\d\d)?$/,
      (_zone, before: string, minutes = '00') => `${before}:${minutes}`,
    ),
  );
