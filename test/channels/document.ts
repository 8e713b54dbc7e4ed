import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter } from '../../src/channels/contract/adapter.ts';
import { adapters } from '../../src/channels/registry.ts';
import { pagesOf } from './pages.ts';

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

const pageColumns = ['Messenger', 'Lines', 'Further pages'];

function pageRowOf({ platform }: Adapter): string[] {
  const { lines, further } = pagesOf(platform);
  return [platform, number(lines), list(further)];
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const tableOf = (headings: readonly string[], rows: readonly string[][]): string =>
  [headings, headings.map(() => '---'), ...rows].map(lineOf).join('\n');

/** What each messenger carries and tells, from the adapters themselves. */
export const channelsDocument = (): string => `# Channels

What each messenger carries and tells. The table is made of the adapters (\`src/channels/messengers\`):
\`node test/channels/document.ts\` writes it, and a test holds it to them.

- **Text** is the longest text. A longer one is refused and never cut.
- **Rate** is the documented limit. A dash means that the provider names none.
- **Opened by** is how a project can write to someone who has not written yet.
- **Tells** are the receipts of the provider. Without \`delivered\` or \`read\` a message ends at SENT.
  SENT means that the provider has accepted the message. Whatsapp's own \`sent\` comes later and changes nothing more.

${tableOf(columns, adapters.map(rowOf))}

## Limits beside the table

- Whatsapp asks for one message in six seconds to one client, and allows bursts. So an operator's second sentence does
  not wait. Only Whatsapp's refusal (131056) pauses the chat, for six seconds.
- Facebook and Instagram take 300 texts a second. Facebook also takes 200 calls a day for each client of the page.
  Meta's refusals (4, 17, 32, 613, 80002, 80004, 80006) pause the channel for five seconds.
- A channel that a provider slows down pauses as long as the provider says, and then sends more slowly.
- Instagram takes only PDF as a document. Another file becomes \`UNDELIVERED\`, with Meta's words.
- Vkontakte takes files only by a key with a right for them. A key without it fails messages with files, and no others.

## One client, several addresses

- A client of Whatsapp may stop showing their number, and one of Telegram_Personal may change theirs or their user
  name. Both providers, and Max_Personal, also tell a lasting id. By it the client stays in one chat, whose address is
  the latest one.
- Whatsapp tells when a client changes the number, and with it the lasting id: the chat moves to the new ones. Who gets
  the old number has a chat of their own.
- Two chats that exist already are not joined. The histories of their messages would be mixed for good.
- In the other messengers the address of a client, or of a conversation, never changes. An e-mail address is the
  client: the one in \`From\`. Only a mail from an address in \`form_senders\` is written by its \`Reply-To\`.

## Pressed buttons

- In Telegram, Max and Vkontakte a pressed button is busy until its bot answers.
- In Max and Vkontakte Patchbay answers once the press is stored. A failed answer is logged, and the press is not lost.
- Telegram's webhook gets the answer as its response, once the press is stored. A channel that polls answers before the
  press is stored, and a failed answer is not logged. Telegram repeats a press that was not stored.
- Odnoklassniki accepts only a new message as an answer (\`chat/answer\`). Patchbay invents no message, so it gives none.
- The other messengers expect no answer: a press comes as a message or an event of its own.

## Files

Telegram takes by its address no document but GIF, PDF and ZIP, and cannot reach an address that is not public. So
Patchbay fetches each picture and document, and uploads it with its name. A picture may have 10 MiB, and goes as a
document beyond that. A document may have 20 MiB.

A messenger that takes bytes gets a file of the project from Patchbay's storage. Patchbay's own address may be private,
and need not be in \`PATCHBAY_ALLOW_OUTBOUND\`. Messengers that fetch files by themselves need a public address.

## Witnesses

Our reading of a provider is judged by what others wrote.

- \`recorded.json\` in a messenger's folder has bodies and answers in the shape that its \`sources\` show. They are public
  repositories and the provider's own pages. The values are ours. Each body has the exact events that it becomes, also
  with unknown fields in every object. Telegram_Personal has the same in \`recorded.test.ts\`, as it has no bodies.
- Clients by others talk to our stand-ins (\`independent-client.test.ts\`): \`vk-io\`, \`whatsapp-api-js\` and
  \`@maxhub/max-bot-api\`. \`telegram-test-api\` is a server by others. Dovecot and Postfix judge Email.
- No public records were found for Auto_Ru. Its bodies follow Yandex's own pages only.

## Pages

Read these four pages of a messenger first: \`settings.ts\`, \`refusals.ts\`, \`send.ts\` and \`receive.ts\`. A test
holds them to 250 lines together.

- Facebook and Instagram share the last three in \`src/channels/shared/graph-messages\`, and they count for both.
- Telegram_Personal has \`connect.ts\` instead of \`receive.ts\`. Widget calls no provider, and has only settings.
- \`adapter.ts\`, \`capabilities.ts\` and \`guide.ts\` are in every folder. They are not counted.

${tableOf(pageColumns, adapters.map(pageRowOf))}
`;

if (import.meta.main) writeFileSync(documentFile, channelsDocument());
