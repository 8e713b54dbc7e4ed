import type { Context } from '../../platform/context.ts';
import { signedBytes } from '../../platform/secrets/signed-bytes.ts';
import { uuidOfBytes, uuidToBytes } from '../../platform/uuid-bytes.ts';
import type { ChatName } from './unsubscribe-store.ts';

const uuidBytes = 16;

/** The tokens of the addresses by which clients unsubscribe from mailings. They name a chat, and never expire. */
export function unsubscribeTokens(secretKey: string) {
  const signed = signedBytes(secretKey, 'patchbay unsubscribing', 2 * uuidBytes);
  return {
    make: ({ projectId, chatId }: ChatName): string =>
      signed.make(Buffer.concat([uuidToBytes(projectId), uuidToBytes(chatId)])),
    /** Undefined for a token that was not made here. */
    read: (token: string): ChatName | undefined => {
      const chat = signed.read(token);
      return (
        chat && {
          projectId: uuidOfBytes(chat.subarray(0, uuidBytes)),
          chatId: uuidOfBytes(chat.subarray(uuidBytes)),
        }
      );
    },
  };
}

/** The address by which a client unsubscribes. */
export function unsubscribeAddresses({
  publicUrl,
  secretKey,
}: Context['config']): (chat: ChatName) => string {
  const tokens = unsubscribeTokens(secretKey);
  return (chat) => `${publicUrl}/u/${tokens.make(chat)}/`;
}
