import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter } from '../../src/channels/contract/adapter.ts';
import { adapters } from '../../src/channels/registry.ts';

export const documentFile = join(import.meta.dirname, '..', '..', 'docs', 'channels.md');

const columns = ['Messenger', 'Carries', 'Text', 'Buttons', 'Rate', 'Opened by', 'Tells', 'Hears by'];

const number = (value: number): string => value.toLocaleString('en');

const list = (words: readonly string[]): string => words.join(', ') || '–';

function rateOf({ perSecond, chatPauseMs }: Adapter['limits']): string {
  const channel = perSecond === null ? [] : [`${number(perSecond)} /s`];
  const chat = chatPauseMs === null ? [] : [`1 per ${chatPauseMs / 1000} s to one chat`];
  return list([...channel, ...chat]);
}

function hearingOf({ routes, poll, connect }: Adapter): string {
  return list([
    ...(routes.length > 0 ? ['webhook'] : []),
    ...(poll ? ['poll'] : []),
    ...(connect ? ['connection'] : []),
  ]);
}

const rowOf = (adapter: Adapter): string[] => [
  adapter.platform,
  list(adapter.carries),
  `${number(adapter.limits.text)} ${adapter.limits.counts}`,
  adapter.limits.buttons === 0 ? '–' : number(adapter.limits.buttons),
  rateOf(adapter.limits),
  list(adapter.opensBy),
  list(adapter.receipts),
  hearingOf(adapter),
];

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** What each messenger carries and tells, from the adapters themselves. */
export const channelsDocument = (): string => `# Channels

What each messenger carries and tells. The table is made of the adapters (\`src/channels/messengers\`):
\`node test/channels/document.ts\` writes it, and a test holds it to them.

- **Text** is the longest text. A longer one is refused and never cut.
- **Rate** is the documented limit. A dash means that the provider names none.
- **Opened by** is how a project can write to someone who has not written yet.
- **Tells** are the receipts of the provider. Without \`delivered\` or \`read\` a message ends at SENT.

${[lineOf(columns), lineOf(columns.map(() => '---')), ...adapters.map((adapter) => lineOf(rowOf(adapter)))].join('\n')}
`;

if (import.meta.main) writeFileSync(documentFile, channelsDocument());
