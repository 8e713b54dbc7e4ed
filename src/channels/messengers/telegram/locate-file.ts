import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { FileRequest } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { callBot } from './bot-api.ts';
import { apiRoot, type Settings } from './settings.ts';

const FoundFile = Type.Object({ file_path: Type.String({ minLength: 1 }) });

/** The address contains the bot's token, and expires after an hour. It is used at once, and never passed on. */
export async function locateFile(
  reference: string,
  settings: Settings,
  http: Outbound,
): Promise<FileRequest> {
  const answer = await callBot(settings, http, { method: 'getFile', parameters: { file_id: reference } });
  if (!answer.ok) throw new ForPeople(`Telegram refused: ${answer.description}`);
  if (!Value.Check(FoundFile, answer.result)) throw new ForPeople('Telegram named no path of the file.');
  const path = answer.result.file_path.split('/').map(encodeURIComponent).join('/');
  return { url: `${apiRoot(settings)}/file/bot${settings.bot_token}/${path}`, redact: [settings.bot_token] };
}
