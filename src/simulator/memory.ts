import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { ParseError, Value } from 'typebox/value';
import type { Provider } from './provider.ts';

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

const keptOf = (providers: ReadonlyMap<string, Provider>): Static<typeof Kept> =>
  Object.fromEntries(
    [...providers].map(([part, { player, crowd }]) => [
      part,
      { registration: player.registration.get(), crowd },
    ]),
  );

/** What cannot be read is forgotten: the channels are then connected again. */
function restore(file: string, providers: ReadonlyMap<string, Provider>): void {
  for (const [part, { registration, crowd }] of Object.entries(keptIn(readFileSync(file, 'utf8')))) {
    const provider = providers.get(part);
    try {
      provider?.player.registration.set(registration);
      provider?.remember(crowd);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
    }
  }
}

const Kept = Type.Record(
  Type.String(),
  Type.Object({ registration: Type.Unknown(), crowd: Type.Integer({ minimum: 0 }) }),
);

function keptIn(text: string): Static<typeof Kept> {
  try {
    return Value.Parse(Kept, JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ParseError) return {};
    throw error;
  }
}
