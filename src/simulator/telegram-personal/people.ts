import { Long, type tl } from '@mtcute/node';
import { addressForm, type Person, personOf, phoneForm } from '../people.ts';
import { RpcRefusal } from './rpc.ts';

/** The account that is Patchbay's channel. */
export const self: tl.RawUser = {
  _: 'user',
  self: true,
  id: 4_999_000_000,
  accessHash: Long.ONE,
  firstName: 'Shop',
  phone: '79980000000',
};

const ids = addressForm('5000', 6);
const usernames = addressForm('client_', 6);

export const userOf = ({ number, name, phone }: Person): tl.RawUser => {
  const [firstName = '', lastName = ''] = name.split(' ');
  const id = Number(ids.of(number));
  const username = usernames.of(number);
  return { _: 'user', id, accessHash: Long.ONE, firstName, lastName, username, phone: phone.slice(1) };
};

export const userAt = (number: number): tl.RawUser => userOf(personOf(number));

/** Each gives null for nobody who is played here. */
export const numberByPhone = (phone: string): number | null => phoneForm.numberIn(phone.replace(/\D/g, ''));
export const numberByUsername = (name: string): number | null => usernames.numberIn(name);
export const numberOfUser = (id: number): number | null => ids.numberIn(id);

/** Throws `RpcRefusal` for another peer. */
export function numberOfPeer(peer: tl.TypeInputPeer): number {
  const number = peer._ === 'inputPeerUser' ? numberOfUser(peer.userId) : null;
  if (number === null) throw new RpcRefusal(400, 'PEER_ID_INVALID');
  return number;
}
