import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const macBytes = 9;

export type SignedBytes = {
  make(bytes: Buffer): string;
  /** Undefined for a token that was not made here. */
  read(token: string): Buffer | undefined;
};

/** Tokens need no storage: `length` bytes | the first 9 bytes of an HMAC, in base64url. `purpose` selects the key. */
export function signedBytes(secretKey: string, purpose: string, length: number): SignedBytes {
  const key = Buffer.from(hkdfSync('sha256', secretKey, purpose, '', 32));
  const macOf = (bytes: Buffer): Buffer =>
    createHmac('sha256', key).update(bytes).digest().subarray(0, macBytes);
  const form = new RegExp(`^[\\w-]{${Math.ceil(((length + macBytes) * 4) / 3)}}$`);

  return {
    make: (bytes) => Buffer.concat([bytes, macOf(bytes)]).toString('base64url'),
    read: (token) => {
      if (!form.test(token)) return undefined;
      const all = Buffer.from(token, 'base64url');
      const bytes = all.subarray(0, length);
      return timingSafeEqual(all.subarray(length), macOf(bytes)) ? bytes : undefined;
    },
  };
}
