import type { TelegramClient } from '@mtcute/node';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { AskPerson } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { Refused } from './account.ts';
import { asked, clientFor } from './mtproto.ts';
import type { Settings } from './settings.ts';

/** Logs in with the code from Telegram, and with the account's password if it has one. */
export async function logIn(
  settings: Settings,
  outbound: Outbound,
  ask: AskPerson,
): Promise<Partial<Settings>> {
  const end = new AbortController();
  const { telegram, refused } = clientFor(settings, outbound, end.signal);
  try {
    await Promise.race([refused, prove(telegram, settings.phone, ask)]);
    return { session: await telegram.exportSession() };
  } catch (error) {
    throw error instanceof Refused ? new ForPeople(`Telegram refused: ${error.text}.`) : error;
  } finally {
    end.abort();
    await telegram.destroy();
  }
}

type Door = Pick<TelegramClient, 'sendCode' | 'signIn' | 'checkPassword'>;

export async function prove(telegram: Door, phone: string, ask: AskPerson): Promise<void> {
  const sent = await asked(() => telegram.sendCode({ phone }));
  // Telegram logged in without a code.
  if (!('phoneCodeHash' in sent)) return;
  const { phoneCodeHash } = sent;
  const phoneCode = await ask('The code that Telegram has sent', 'open');
  try {
    await asked(() => telegram.signIn({ phone, phoneCodeHash, phoneCode }));
  } catch (error) {
    if (!(error instanceof Refused && error.text === 'SESSION_PASSWORD_NEEDED')) throw error;
    const password = await ask('The password of the account', 'secret');
    await asked(() => telegram.checkPassword(password));
  }
}
