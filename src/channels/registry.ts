import type { Adapter, CarriedType } from './contract/adapter.ts';
import { charactersOf, longestText } from './contract/limits.ts';
import type { Platform } from './contract/platforms.ts';
import { apiMessenger } from './messengers/api-messenger/adapter.ts';
import { telegram } from './messengers/telegram/adapter.ts';
import { widget } from './messengers/widget/adapter.ts';

export const adapters: readonly Adapter[] = [apiMessenger, telegram, widget];

const byPlatform = new Map<string, Adapter>(adapters.map((adapter) => [adapter.platform, adapter]));

export function adapterFor(platform: Platform): Adapter | null {
  return byPlatform.get(platform) ?? null;
}

/** How many characters the platform takes in such a text, where this text has more; null where it fits. */
export function limitExceeded(
  platform: Platform,
  type: CarriedType,
  text: string | null | undefined,
): number | null {
  const limits = adapterFor(platform)?.limits;
  if (!limits || !text) return null;
  const most = longestText(limits, type);
  return charactersOf(text) > most ? most : null;
}
