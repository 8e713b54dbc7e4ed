import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { uuidOfBytes, uuidToBytes } from '../../platform/uuid-bytes.ts';

export type AttachmentKey = { projectId: string; id: string };

const uuidBytes = 16;
const macBytes = 16;
const form = /^[\w-]{64}$/;

/**
 * Everybody who knows a file's address may read it: messengers fetch it without credentials. Its token is project |
 * attachment | 16 bytes of an HMAC, in base64url. The database therefore stores nothing that opens files.
 */
export function attachmentAddress(
  { publicUrl, secretKey }: { publicUrl: string; secretKey: string },
  key: AttachmentKey,
  name: string,
): string {
  const place = Buffer.concat([uuidToBytes(key.projectId), uuidToBytes(key.id)]);
  const token = Buffer.concat([place, macOf(secretKey, place)]).toString('base64url');
  return `${publicUrl}/files/${token}/${encodeURIComponent(name)}`;
}

/** Undefined for a token that this installation did not make. */
export function readFileToken(secretKey: string, token: string): AttachmentKey | undefined {
  if (!form.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const place = bytes.subarray(0, 2 * uuidBytes);
  if (!timingSafeEqual(bytes.subarray(2 * uuidBytes), macOf(secretKey, place))) return undefined;
  return { projectId: uuidOfBytes(place.subarray(0, uuidBytes)), id: uuidOfBytes(place.subarray(uuidBytes)) };
}

/** The file at an address that we made. As for everybody, the name at its end does not count. */
export function fileAt(
  { publicUrl, secretKey }: { publicUrl: string; secretKey: string },
  url: string,
): AttachmentKey | undefined {
  const start = `${publicUrl}/files/`;
  const [, token] = (url.startsWith(start) && /^([^/]+)\/[^/]+$/.exec(url.slice(start.length))) || [];
  return token === undefined ? undefined : readFileToken(secretKey, token);
}

function macOf(secretKey: string, place: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'patchbay files', '', 32));
  return createHmac('sha256', key).update(place).digest().subarray(0, macBytes);
}
