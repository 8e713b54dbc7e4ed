import { smallAscii } from '../../../platform/ascii.ts';
import type { Correspondent } from '../../contract/inbound.ts';
import { type Account, type Person, Refused } from './account.ts';

type Finding = Pick<Account, 'personByUsername' | 'personByPhone' | 'addContact'>;

/** Maps addresses of chats to users. A chat opened by phone or username keeps that address. */
export type People = {
  met(person: Person): void;
  /** We opened the chat with this address. */
  opened(address: string, person: Person): void;
  isStrange(address: string): boolean;
  /**
   * Throws `Refused` for an unknown address, and for a user name that now is another person's than these ids'. Without
   * ids anybody may have it.
   */
  find(address: string, ids?: readonly string[]): Promise<Person>;
  correspondent(person: Person): Correspondent;
  /** Null for an unknown user. */
  addressOf(personId: string): string | null;
};

export function peopleOf(account: Finding): People {
  const byAddress = new Map<string, Person>();
  const addresses = new Map<string, string>();

  function keep(address: string, person: Person): void {
    const before = byAddress.get(address);
    // A user name passes from one person to another.
    if (before && before.id !== person.id) addresses.delete(before.id);
    byAddress.set(address, person);
    byAddress.set(person.id, person);
    addresses.set(person.id, address);
  }

  const addressFor = (person: Person): string => addresses.get(person.id) ?? usualAddress(person);

  return {
    met: (person) => keep(addressFor(person), person),
    opened: keep,
    isStrange: (address) => !byAddress.has(address),
    async find(address, ids = []) {
      const person = byAddress.get(address) ?? (await look(account, address));
      const isTheirs = ids.length === 0 || ids.includes(person.id);
      // A phone number stays its client's.
      if (isTheirs || !address.startsWith('@')) return person;
      const known = ids.flatMap((id) => byAddress.get(id) ?? [])[0];
      if (!known) throw new Refused(400, 'USERNAME_PASSED_ON');
      return known;
    },
    correspondent(person) {
      const { id: lastingId, name, username, phone } = person;
      const externalId = addressFor(person);
      return {
        externalId,
        lastingId,
        ...(name && { name }),
        ...(username && { username }),
        ...(phone && { phone }),
      };
    },
    addressOf: (personId) => addresses.get(personId) ?? null,
  };
}

/** The contract names a client by a visible phone number or username. */
const usualAddress = ({ id, username, phone }: Person): string =>
  phone ?? (username ? `@${smallAscii(username)}` : id);

async function look(account: Finding, address: string): Promise<Person> {
  if (address.startsWith('@')) return account.personByUsername(address.slice(1));
  if (!address.startsWith('+')) throw new Refused(400, 'PEER_ID_INVALID');
  // A contact's number stays visible, so their answer finds the chat.
  return (await account.addContact(address)) ?? account.personByPhone(address);
}
