import {
  type Ears,
  type HeardFile,
  type OpenAccount,
  type Outgoing,
  type Person,
  Refused,
} from '../../src/channels/messengers/telegram-personal/account.ts';

export const ann: Person = { id: '77', name: 'Ann', username: null, phone: '+79991234567' };
export const bob: Person = { id: '78', name: 'Bob', username: 'Bobby', phone: null };

export type PlayedTelegram = {
  open: OpenAccount;
  /** What was asked, without the keys of messages. */
  calls(): [method: string, ...parameters: string[]][];
  sent(): Outgoing[];
  /** From now on sends are refused so; null lets them through. */
  refuse(refused: Refused | null): void;
  /** Numbers can be asked for, but make no contacts. */
  hideContacts(): void;
  /** From now on messages that exist are not shown. */
  hideHistory(): void;
  hear(from: Person, text: string, file?: HeardFile): void;
  read(personId: string, upTo: number): void;
  lose(error: Error): void;
  listenedFrom(): string | null;
  closed(): number;
};

/** A fake account behind the port, with the calls that we make. Events before the first listener are dropped. */
export function playTelegram(): PlayedTelegram {
  const calls: [string, ...string[]][] = [];
  const sent: Outgoing[] = [];
  const keys = new Set<bigint>();
  const latest = new Map<string, number>();
  let ears: Ears | null = null;
  let refusal: Refused | null = null;
  let isSilent = false;
  let [areHidden, closed, heard, happened] = [false, 0, 0, 0];
  let from: string | null = null;

  const nextPlace = (): string => {
    happened += 1;
    return `place ${happened}`;
  };

  return {
    open: async (_settings, _client, place) => ({
      people: async () => [],
      async personByUsername(username) {
        calls.push(['personByUsername', username]);
        if (username === bob.username?.toLowerCase()) return bob;
        throw new Refused(400, 'USERNAME_NOT_OCCUPIED');
      },
      async personByPhone(phone) {
        calls.push(['personByPhone', phone]);
        if (phone === ann.phone) return { ...ann, phone: null };
        throw new Refused(400, 'PHONE_NOT_OCCUPIED');
      },
      async addContact(phone) {
        calls.push(['addContact', phone]);
        return phone === ann.phone && !areHidden ? ann : null;
      },
      async send(person, message) {
        calls.push(['send', person.id, message.text]);
        if (refusal) throw refusal;
        if (keys.has(message.key)) throw new Refused(500, 'RANDOM_ID_DUPLICATE');
        keys.add(message.key);
        const id = sent.push(message);
        latest.set(person.id, id);
        return id;
      },
      async lastSent({ id }) {
        if (isSilent) throw new Refused(500, 'INTERDC_1_CALL_ERROR');
        return latest.get(id) ?? null;
      },
      async personWith(id) {
        if (isSilent) throw new Refused(500, 'INTERDC_1_CALL_ERROR');
        return [ann, bob].find((person) => person.id === id) ?? null;
      },
      async listen(given) {
        from = place;
        ears = given;
      },
      async close() {
        closed += 1;
      },
    }),
    calls: () => calls,
    sent: () => sent,
    refuse: (refused) => {
      refusal = refused;
    },
    hideContacts: () => {
      areHidden = true;
    },
    hideHistory: () => {
      isSilent = true;
    },
    hear(person, text, file) {
      if (!ears) return;
      heard += 1;
      ears.message({ id: heard, from: person, text, file: file ?? null }, nextPlace());
    },
    read: (personId, upTo) => ears?.read(personId, upTo, nextPlace()),
    lose: (error) => ears?.lost(error),
    listenedFrom: () => from,
    closed: () => closed,
  };
}
