import { smallAscii } from '../../../platform/ascii.ts';
import type { Correspondent } from '../../contract/inbound.ts';
import { type Account, type Person, Refused } from './account.ts';

/** Who is meant by a chat's address. A chat that was opened by number or name keeps that address. */
export type People = {
  met(person: Person): void;
  /** We write to them first, at this address. */
  opened(address: string, person: Person): void;
  isStrange(address: string): boolean;
  /** Throws `Refused` where nobody is there. */
  find(address: string): Promise<Person>;
  correspondent(person: Person): Correspondent;
  /** Null for somebody that we do not know. */
  addressOf(personId: string): string | null;
};

export function peopleOf(account: Account): People {
  const byAddress = new Map<string, Person>();
  const addresses = new Map<string, string>();

  function keep(address: string, person: Person): void {
    byAddress.set(address, person);
    addresses.set(person.id, address);
  }

  const addressFor = (person: Person): string => addresses.get(person.id) ?? usualAddress(person);

  return {
    met: (person) => keep(addressFor(person), person),
    opened: keep,
    isStrange: (address) => !byAddress.has(address),
    find: async (address) => byAddress.get(address) ?? look(account, address),
    correspondent(person) {
      const { name, username, phone } = person;
      const externalId = addressFor(person);
      return { externalId, ...(name && { name }), ...(username && { username }), ...(phone && { phone }) };
    },
    addressOf: (personId) => addresses.get(personId) ?? null,
  };
}

/** As the contract has it: the number or the name wherever it shows. */
const usualAddress = ({ id, username, phone }: Person): string =>
  phone ?? (username ? `@${smallAscii(username)}` : id);

async function look(account: Account, address: string): Promise<Person> {
  if (address.startsWith('@')) return account.personByUsername(address.slice(1));
  if (!address.startsWith('+')) throw new Refused(400, 'PEER_ID_INVALID');
  // A contact shows their number for good, so that their answer finds the chat.
  return (await account.addContact(address)) ?? account.personByPhone(address);
}
