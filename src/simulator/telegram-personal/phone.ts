import { setTimeout as pause } from 'node:timers/promises';
import { NoAddress } from '../events.ts';
import type { Place } from '../http-api.ts';
import { keptNumber } from '../kept.ts';
import { hintSeconds, slowMs } from '../obey.ts';
import type { Mood, Player, Rules } from '../player.ts';
import type { Call } from './calls.ts';
import { contentOf } from './media.ts';
import { numberOfPeer, self } from './people.ts';
import { type Refusal, startTelegramPersonal } from './provider.ts';
import { RpcRefusal } from './rpc.ts';

const phone = `+${self.phone}`;

export async function playTelegramPersonal(place: Place, port: number): Promise<Player> {
  const { session, outbox, files, box, hear, read, react, hide, mute, isHeard } = await startTelegramPersonal(
    place,
    port,
  );
  /** A channel hears nothing of the time before its first connection. Later its messages wait for it. */
  let wasHeard = false;
  return {
    platform: 'Telegram_Personal',
    settings: { api_id: '1', api_hash: '51d011a70451d011a70451d011a70451', phone },
    learnt: { session },
    addressOf: (person) => person.phone,
    says: ['text', 'image', 'file', 'voice', 'place', 'contact'],
    receipts: ['read'],
    listen: (arrived) => outbox.listen(arrived),
    obey(rules) {
      react((call) => refusalOf(call, rules));
      hide((number) => rules.standing(number) === 'gone');
      mute(() => rules.mood() === 'down' || rules.mood() === 'hang');
    },
    moods: ['normal', 'slow', 'busy_with_hint', 'credentials', 'down', 'hang'],
    async say(person, said) {
      wasHeard ||= isHeard();
      if (!wasHeard) throw new NoAddress();
      hear(person.number, contentOf(person, said, files));
    },
    acknowledge: async ({ number }, ids) => read(number, Math.max(...ids.map(Number))),
    block: async () => {},
    addresses: () => (isHeard() ? [phone] : []),
    registration: { get: () => box.state().pts, set: (kept) => box.skipTo(keptNumber(kept)) },
  };
}

async function refusalOf(call: Call, rules: Rules): Promise<Refusal | null> {
  const recipient = recipientOf(call);
  const standing = recipient === null ? 'open' : rules.standing(recipient);
  const refusal =
    standing === 'open' ? await refusalIn(rules.mood(), recipient !== null) : refusals[standing];
  if (refusal !== null && recipient !== null) {
    rules.refused(recipient, standing === 'open' ? rules.mood() : standing);
  }
  return refusal;
}

function recipientOf(call: Call): number | null {
  const isSend = call._ === 'messages.sendMessage' || call._ === 'messages.sendMedia';
  return isSend ? numberOfPeer(call.peer) : null;
}

const refusals: { readonly [standing in 'blocked' | 'gone']: RpcRefusal } = {
  blocked: new RpcRefusal(403, 'USER_IS_BLOCKED'),
  gone: new RpcRefusal(400, 'INPUT_USER_DEACTIVATED'),
};

async function refusalIn(mood: Mood, isSend: boolean): Promise<Refusal | null> {
  switch (mood) {
    case 'down':
      return 'close';
    case 'hang':
      return 'hang';
    case 'credentials':
      return new RpcRefusal(401, 'AUTH_KEY_UNREGISTERED');
    case 'busy_with_hint':
      return isSend ? new RpcRefusal(420, `FLOOD_WAIT_${hintSeconds}`) : null;
    case 'slow':
      await pause(slowMs, undefined, { ref: false });
      return null;
    default:
      return null;
  }
}
