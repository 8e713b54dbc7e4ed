import type { Client, FileRequest } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import type { InboundFile } from '../../contract/inbound.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { credentials } from './api.ts';
import { type Settings, usualRoot } from './settings.ts';

/** A part of a message that is only a picture or a link in Markdown. */
const linked = /^(!?)\[([^\]]*)\]\((https?:\/\/[^\s()]+)\)$/;

/** The path of chats' files at Ozon, which require the keys. */
const folder = '/v2/chat/file/';

/** The file of such a part. Null for text. A link to another address is text too. */
export function fileIn(
  part: string,
  settings: Settings,
): { type: 'image' | 'document'; file: InboundFile } | null {
  const [, mark, label = '', address = ''] = linked.exec(part.trim()) ?? [];
  const url = URL.parse(address);
  if (!url) return null;
  const isOzons = isKept(url, settings);
  if (!isOzons && mark !== '!') return null;
  const name = label || url.pathname.split('/').at(-1);
  const file = { ...(isOzons ? { reference: url.href } : { url: url.href }), ...(name && { name }) };
  return { type: mark === '!' || isPicture(url) ? 'image' : 'document', file };
}

const isPicture = ({ pathname }: URL): boolean => /\.(png|jpe?g|gif|webp|heic)$/i.test(pathname);

/** The keys are sent nowhere else, whatever a client writes. */
function isKept({ origin, pathname }: URL, { api_root }: Settings): boolean {
  const root = URL.parse(apiRootOf(api_root, usualRoot));
  return origin === root?.origin && pathname.startsWith(folder);
}

export async function locateFile(
  reference: string,
  settings: Settings,
  _client: Client,
): Promise<FileRequest> {
  const url = URL.parse(reference);
  if (!url || !isKept(url, settings)) throw new ForPeople('The file is not kept by Ozon.');
  return { url: url.href, headers: credentials(settings) };
}
