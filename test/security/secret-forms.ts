/** Every form in which a secret may occur: literal, in hex, in base64 at any offset, in an address, in JSON. */
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

/** The part of the base64 text that does not depend on the bytes around the secret. */
function base64At(bytes: Buffer, shift: number): string[] {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const inner = text.slice(shift === 0 ? 0 : shift + 1, -1);
  return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
}

/** The names of the secrets that the text contains in any form. */
export function leaksIn(text: string, secrets: Record<string, string>): string[] {
  const lower = text.toLowerCase();
  return Object.entries(secrets)
    .filter(([, secret]) =>
      formsOf(secret).some((form) => text.includes(form) || lower.includes(form.toLowerCase())),
    )
    .map(([name]) => name);
}
