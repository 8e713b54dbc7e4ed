/** A client that the simulator plays. Everything about them follows from the number. */
export type Person = { number: number; name: string; username: string; phone: string };

const firstNames = ['Anna', 'Boris', 'Chiara', 'Dmitry', 'Elena', 'Farid', 'Galina', 'Hugo', 'Irina', 'Jan'];
const lastNames = [
  'Lind',
  'Novak',
  'Rossi',
  'Orlov',
  'Petrova',
  'Aliev',
  'Sokolova',
  'Weber',
  'Belova',
  'Kos',
];

/** Numbers of phones have six digits here. */
export const mostPeople = 999_999;

const phoneDigits = (number: number): string => `79990${String(number).padStart(6, '0')}`;

export const personOf = (number: number): Person => ({
  number,
  name: nameOf(number),
  username: `person_${number}`,
  phone: `+${phoneDigits(number)}`,
});

function nameOf(number: number): string {
  const [first, last] = [(number - 1) % 10, (number - 1 + Math.floor((number - 1) / 10)) % 10];
  return `${firstNames[first]} ${lastNames[last]}`;
}

/** The client with this address at the provider. Null for nobody. */
export type WhoIs = (address: string) => Pick<Person, 'name' | 'username'> | null;

/** A stand-in without phones knows one name for every address. */
export const oneName: WhoIs = () => ({ name: 'Olga Ivanova', username: 'olga.i' });

export type AddressForm = {
  of(number: number): string;
  numberIn(address: unknown): number | null;
  personAt: WhoIs;
};

/** Addresses that consist of the person's number between fixed parts. */
export function addressForm(before: string, digits: number, after = ''): AddressForm {
  function numberIn(address: unknown): number | null {
    const text = String(address);
    if (!text.startsWith(before) || !text.endsWith(after)) return null;
    const middle = text.slice(before.length, text.length - after.length);
    const number = /^\d+$/.test(middle) && middle.length === digits ? Number(middle) : 0;
    return number >= 1 && number <= mostPeople ? number : null;
  }
  return {
    of: (number) => `${before}${String(number).padStart(digits, '0')}${after}`,
    numberIn,
    personAt(address) {
      const number = numberIn(address);
      return number === null ? null : personOf(number);
    },
  };
}

export const phoneForm = addressForm('79990', 6);
