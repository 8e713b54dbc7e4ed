import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from '../../src/channels/contract/platforms.ts';
import { isTest } from '../test-files.ts';

export const messengersFolder = join(import.meta.dirname, '..', '..', 'src', 'channels', 'messengers');

/** The pages to read first: how a messenger is set up, refuses, sends and receives. */
const four = {
  settings: 'settings.ts',
  refusals: 'refusals.ts',
  send: 'send.ts',
  receive: 'receive.ts',
};

/** Every messenger has them, and they decide nothing. */
const facts: readonly string[] = ['adapter.ts', 'capabilities.ts', 'guide.ts'];

type Elsewhere = { readonly [page in keyof typeof four]?: string | null };

const graphMessages: Elsewhere = {
  refusals: '../../shared/graph-messages/refusals.ts',
  send: '../../shared/graph-messages/send.ts',
  receive: '../../shared/graph-messages/receive.ts',
};

/** Pages with another place. Null means that the messenger has no such page. */
const elsewhere: { readonly [P in Platform]?: Elsewhere } = {
  Facebook: graphMessages,
  Instagram: graphMessages,
  Telegram_Personal: { receive: 'connect.ts' },
  // No provider is called, so none refuses or calls.
  Widget: { refusals: null, send: null, receive: null },
};

export const folderOf = (platform: Platform): string => platform.toLowerCase().replaceAll('_', '-');

/** The lines of the four pages together, and the names of the further pages. Throws if one of the four is missing. */
export function pagesOf(platform: Platform): { lines: number; further: string[] } {
  const folder = join(messengersFolder, folderOf(platform));
  const own = { ...four, ...elsewhere[platform] };
  const read = Object.values(own).filter((page) => page !== null);
  const lines = read.map((page) => readFileSync(join(folder, page), 'utf8').split('\n').length - 1);
  const further = globSync('*.ts', { cwd: folder })
    .filter((page) => !isTest(page) && !facts.includes(page) && !read.includes(page))
    .map((page) => page.replace('.ts', ''));
  return { lines: lines.reduce((sum, each) => sum + each, 0), further: further.toSorted() };
}
