let last = 0;

/** The offset of the server’s clock to this browser’s, in milliseconds. Histories are ordered by ids. */
let skewMs = 0;

export function learnTime(serverTime: string | null): void {
  const ahead = Date.parse(serverTime ?? '') - Date.now();
  // The header has whole seconds only, and its transfer takes time.
  skewMs = Math.abs(ahead) > 2_000 ? ahead : 0;
}

/** A UUIDv7, later than all earlier ones of this page. Source: RFC 9562, section 5.7. */
export function newId(): string {
  last = Math.max(Date.now() + skewMs, last + 1);
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const random = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const time = Math.floor(last).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-a${random.slice(5, 8)}-${random.slice(8)}`;
}
