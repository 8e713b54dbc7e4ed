import { createHash } from 'node:crypto';
import type { tl } from '@mtcute/node';
import { writeStringSession } from '@mtcute/node/utils.js';
import type { Place } from '../http-api.ts';
import { counterFrom, type Outbox } from '../outbox.ts';
import type { Shown } from '../player.ts';
import { createAccount } from './account.ts';
import { type Box, createBox } from './box.ts';
import type { Call } from './calls.ts';
import { createFiles, type Files } from './files.ts';
import { serverNumber } from './media.ts';
import { self } from './people.ts';
import type { RpcRefusal } from './rpc.ts';
import { startMtproto } from './server.ts';

/** Instead of an answer: an error, the end of the connection, or nothing at all. */
export type Refusal = RpcRefusal | 'close' | 'hang';

export type TelegramStandIn = {
  address: string;
  /** What a login would give: our address and the agreed key. */
  session: string;
  /** The names of all calls. Empty in the simulator, which runs for days. */
  calls: Call['_'][];
  outbox: Outbox<Shown>;
  files: Files;
  box: Box;
  /** A client writes. */
  hear(number: number, content: Pick<tl.RawMessage, 'message' | 'media'>): void;
  /** A client reads up to this message. */
  read(number: number, upTo: number): void;
  /** Sets what refuses calls. Null lets a call pass. */
  react(reaction: (call: Call) => Promise<Refusal | null>): void;
  /** These numbers belong to nobody. */
  hide(isGone: (number: number) => boolean): void;
  /** While this is true the channel gets no updates. It asks later for what it missed. */
  mute(isMute: () => boolean): void;
  isHeard(): boolean;
  /** Ends every connection. */
  cut(): void;
};

/** It opens this stand-in only, which is on this machine only. */
const key = createHash('shake256', { outputLength: 256 }).update('SIMULATOR-auth-key').digest();

/** Telegram with one account, over MTProto. */
export async function startTelegramPersonal(place: Place, port = 0): Promise<TelegramStandIn> {
  const box = createBox(Math.max(1, Math.floor((place.lastNumber ?? 0) / 1_000)));
  const files = createFiles(counterFrom(place));
  const calls: Call['_'][] = [];
  let reaction: (call: Call) => Promise<Refusal | null> = async () => null;
  let isGone: (number: number) => boolean = () => false;
  let isMute = (): boolean => false;
  const account = createAccount({ box, files, isGone: (number) => isGone(number) });
  const server = await startMtproto(place, {
    port,
    key,
    async answer(call) {
      if (!place.mount) calls.push(call._);
      return (await reaction(call)) ?? account.answer(call);
    },
  });
  const dc = { id: serverNumber, ipAddress: '127.0.0.1', port: server.port };
  const session = writeStringSession({
    version: 3,
    primaryDcs: { main: dc, media: dc },
    authKey: key,
    self: { userId: self.id, isBot: false, isPremium: false, usernames: [] },
  });
  const push = (updates: tl.RawUpdates): void => {
    if (!isMute()) server.push(updates);
  };
  return {
    address: `127.0.0.1:${server.port}`,
    session,
    calls,
    outbox: account.outbox,
    files,
    box,
    hear: (number, content) => push(account.hear(number, content)),
    read: (number, upTo) => push(account.read(number, upTo)),
    react: (next) => {
      reaction = next;
    },
    hide: (next) => {
      isGone = next;
    },
    mute: (next) => {
      isMute = next;
    },
    isHeard: server.isHeard,
    cut: server.cut,
  };
}
