import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { ForPeople } from '../../contract/failure.ts';
import { logIn } from './connections.ts';
import { open } from './mailbox.ts';
import type { Settings } from './settings.ts';

const patienceMs = 30_000;

/** Checks the credentials of both servers. */
export async function learn(settings: Settings, outbound: Outbound): Promise<object> {
  await logIn(settings, outbound, AbortSignal.timeout(patienceMs)).catch(refused('smtp_url'));
  if (!settings.imap_url) return {};
  const signal = AbortSignal.timeout(patienceMs);
  const imap = await open(settings.imap_url, settings, { outbound, signal }).catch(refused('imap_url'));
  imap.close();
  return {};
}

const refused = (setting: string) => (error: Error) => {
  throw new ForPeople(`The mail server of ${setting} refused: ${error.message}`);
};
