import { NoAddress } from './events.ts';
import { keptAddress } from './kept.ts';
import type { Player } from './player.ts';

type EnteredAddress = Pick<Player, 'addresses' | 'registration'> & {
  enter(address: string): Promise<void>;
};

/**
 * The address of Patchbay at a provider that gets it from a person. `current` throws `NoAddress`.
 * @param verify the provider's own check of a new address; throws text for people
 */
export function enteredAddress(verify: (address: string) => Promise<void> = async () => {}): {
  current(): string;
  played: EnteredAddress;
} {
  let address: string | null = null;
  return {
    current() {
      if (address === null) throw new NoAddress();
      return address;
    },
    played: {
      addresses: () => (address === null ? [] : [address]),
      async enter(entered) {
        await verify(entered);
        address = entered;
      },
      registration: {
        get: () => address,
        set: (kept) => {
          address = keptAddress(kept);
        },
      },
    },
  };
}
