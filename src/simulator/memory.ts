import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Provider } from './provider.ts';

type Kept = { [part: string]: { registration: unknown; crowd: number } };

/** Keeps the addresses of Patchbay across restarts: no channel has to be added again. */
export function createMemory(
  file: string | null,
  providers: ReadonlyMap<string, Provider>,
): { save(): void } {
  if (file !== null && existsSync(file)) restore(file, providers);
  let before = JSON.stringify(keptOf(providers));
  return {
    save() {
      const now = JSON.stringify(keptOf(providers));
      if (file === null || now === before) return;
      before = now;
      writeFileSync(`${file}.new`, now, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

const keptOf = (providers: ReadonlyMap<string, Provider>): Kept =>
  Object.fromEntries(
    [...providers].map(([part, { player, crowd }]) => [
      part,
      { registration: player.registration.get(), crowd },
    ]),
  );

/** What cannot be read is forgotten: the channels are then connected again. */
function restore(file: string, providers: ReadonlyMap<string, Provider>): void {
  try {
    const kept: Kept = JSON.parse(readFileSync(file, 'utf8'));
    for (const [part, { registration, crowd }] of Object.entries(kept)) {
      const provider = providers.get(part);
      provider?.player.registration.set(registration);
      provider?.remember(crowd);
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
}
