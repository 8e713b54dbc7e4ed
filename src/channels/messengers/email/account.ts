import { smallAscii } from '../../../platform/ascii.ts';
import { readServer, type Settings } from './settings.ts';

/** The mailbox that the settings read. */
export function accountOf({ imap_url }: Pick<Settings, 'imap_url'>): string | null {
  if (imap_url === undefined) return null;
  const { host, port, user } = readServer(imap_url);
  return smallAscii(`${user}@${host}:${port}`);
}
