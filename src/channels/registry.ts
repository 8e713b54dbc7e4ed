import { apiMessenger } from './api-messenger/adapter.ts';
import type { Adapter } from './contract.ts';
import type { Platform } from './platforms.ts';
import { telegram } from './telegram/adapter.ts';
import { widget } from './widget/adapter.ts';

export const adapters: readonly Adapter[] = [apiMessenger, telegram, widget];

const byPlatform = new Map<string, Adapter>(adapters.map((adapter) => [adapter.platform, adapter]));

export function adapterFor(platform: Platform): Adapter | null {
  return byPlatform.get(platform) ?? null;
}
