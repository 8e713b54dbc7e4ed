import { signedBytes } from '../platform/secrets/signed-bytes.ts';
import { uuidOfBytes, uuidToBytes } from '../platform/uuid-bytes.ts';

/** One link in one recipient's message. `index` is its place among the mailing's links, 0 to 255. */
export type LinkPlace = { projectId: string; messageId: string; index: number };

export type LinkTokens = {
  make(place: LinkPlace): string;
  /** Undefined for a token that was not made here. */
  read(token: string): LinkPlace | undefined;
};

const uuidBytes = 16;

export function linkTokens(secretKey: string): LinkTokens {
  const signed = signedBytes(secretKey, 'patchbay links', 2 * uuidBytes + 1);
  return {
    make: ({ projectId, messageId, index }) =>
      signed.make(Buffer.concat([uuidToBytes(projectId), uuidToBytes(messageId), Buffer.of(index)])),
    read: (token) => {
      const place = signed.read(token);
      return (
        place && {
          projectId: uuidOfBytes(place.subarray(0, uuidBytes)),
          messageId: uuidOfBytes(place.subarray(uuidBytes, 2 * uuidBytes)),
          index: place.readUInt8(2 * uuidBytes),
        }
      );
    },
  };
}
