/** Every way in which a secret may lie about: as it is, in hex, in base64 wherever it begins, in an address, in JSON. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const isUuid = /^[\da-f-]{36}$/.test(secret);
  const forms = [
    secret,
    bytes.toString('hex'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    ...[0, 1, 2].flatMap((shift) => base64At(bytes, shift)),
    ...(isUuid ? [secret.replaceAll('-', '')] : []),
  ];
  return [...new Set(forms)];
}

/** What is the same in base64 whatever stands before and after the secret. */
function base64At(bytes: Buffer, shift: number): string[] {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const inner = text.slice(shift === 0 ? 0 : shift + 1, -1);
  return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Which of the secrets, by their names, are in the text in any form. */
export function leaksIn(text: string, secrets: Record<string, string>): string[] {
  const lower = text.toLowerCase();
  return Object.entries(secrets)
    .filter(([, secret]) =>
      formsOf(secret).some((form) => text.includes(form) || lower.includes(form.toLowerCase())),
    )
    .map(([name]) => name);
}
