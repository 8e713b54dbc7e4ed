import { type Channel, secretEndingOf } from '../../channels/connected/channels.ts';
import type { Route } from '../../channels/contract/adapter.ts';
import { adapterFor } from '../../channels/registry.ts';
import { constantTimeEqual } from '../../platform/secrets/secret.ts';

/** The routes of a channel at these segments behind its address, one for each method. None if the secret is wrong. */
export function routesAt(
  channel: Channel,
  segments: readonly string[],
): readonly Route<Channel['settings']>[] {
  const secret = secretEndingOf(channel.settings);
  const rest = secret === null ? segments : behind(secret, segments);
  const path = rest?.join('/');
  return adapterFor(channel.platform).routes.filter((route) => route.path === path);
}

function behind(secret: string, [first = '', ...rest]: readonly string[]): readonly string[] | null {
  return constantTimeEqual(first, secret) ? rest : null;
}
