import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { uuidOfBytes, uuidToBytes } from '../platform/uuid-bytes.ts';

/** One link in one recipient's message. `index` is its place among the mailing's links, 0 to 255. */
export type LinkPlace = { projectId: string; messageId: string; index: number };

export type LinkTokens = {
  make(place: LinkPlace): string;
  /** Undefined for a token that was not made here. */
  read(token: string): LinkPlace | undefined;
};

const uuidBytes = 16;
const placeBytes = 2 * uuidBytes + 1;
const macBytes = 9;
const form = /^[\w-]{56}$/;

/** Tokens need no storage: project | message | place (1 byte) | the first 9 bytes of an HMAC, in base64url. */
export function linkTokens(secretKey: string): LinkTokens {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'patchbay links', '', 32));
  const macOf = (place: Buffer): Buffer =>
    createHmac('sha256', key).update(place).digest().subarray(0, macBytes);

  return {
    make: ({ projectId, messageId, index }) => {
      const place = Buffer.concat([uuidToBytes(projectId), uuidToBytes(messageId), Buffer.of(index)]);
      return Buffer.concat([place, macOf(place)]).toString('base64url');
    },
    read: (token) => {
      if (!form.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      const place = bytes.subarray(0, placeBytes);
      if (!timingSafeEqual(bytes.subarray(placeBytes), macOf(place))) return undefined;
      return {
        projectId: uuidOfBytes(place.subarray(0, uuidBytes)),
        messageId: uuidOfBytes(place.subarray(uuidBytes, 2 * uuidBytes)),
        index: place.readUInt8(2 * uuidBytes),
      };
    },
  };
}
