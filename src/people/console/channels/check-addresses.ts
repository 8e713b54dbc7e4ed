import { isAddress } from '../../../channels/connected/settings.ts';
import type { Platform } from '../../../channels/contract/platforms.ts';
import { adapterFor } from '../../../channels/registry.ts';
import type { Context } from '../../../platform/context.ts';
import { hasFormat } from '../../../platform/http/formats.ts';
import { whyRefused } from '../../../platform/outbound/outbound.ts';
import { type FieldMessages, Invalid } from '../../../platform/problem.ts';

/**
 * Throws `Invalid` for settings with an address that the service may not call. Other texts are left to the adapter's
 * schema. Source: docs/contract.md, section 8.
 */
export async function checkAddresses(
  { outbound }: Pick<Context, 'outbound'>,
  platform: Platform,
  settings: Record<string, unknown>,
): Promise<void> {
  const { settings: schema } = adapterFor(platform);
  const problems: FieldMessages = {};
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value !== 'string' || !isAddress(schema, name) || !hasFormat('uri', value)) continue;
    const why = await whyRefused(outbound, value);
    if (why !== undefined) problems[name] = [why];
  }
  if (Object.keys(problems).length > 0) throw new Invalid({ settings: problems });
}
