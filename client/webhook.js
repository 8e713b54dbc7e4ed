const toleranceSeconds = 5 * 60;

/** @type {typeof import('./index.js').verifyWebhook} */
export async function verifyWebhook({ headers, body, secret, now = new Date() }) {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp));
  // A timestamp that is not a number has no age.
  if (!(age <= toleranceSeconds)) throw new Error('The webhook is older or newer than five minutes.');

  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), hmac, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of (signatures ?? '').split(' ')) {
    const [version, value = ''] = signature.split(',');
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value), signed)))
      return JSON.parse(body);
  }
  throw new Error('The webhook has no right signature.');
}

const hmac = { name: 'HMAC', hash: 'SHA-256' };

/**
 * @param {Headers | Record<string, string | string[] | undefined>} headers
 * @param {string} name
 */
const headerOf = (headers, name) =>
  (headers instanceof Headers ? headers.get(name) : headers[name])?.toString();

/** Invalid base64 gives no bytes. @param {string} base64 */
function bytesOf(base64) {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
