import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillPage } from '../http/page.ts';
import type { ProfileRow } from '../profiles/present.ts';
import type { SeenChat, Session } from './store.ts';

const folder = join(import.meta.dirname, '..', '..', 'web', 'chat-center');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

const closed = read('closed.html');
const session = read('session.html');

export type Client = { profile: ProfileRow; chats: SeenChat[] };

/** For whoever does not get in. It says nothing that depends on them. */
export const closedPage = (base: string): string => fillPage(closed, { base });

/** Who is signed in, and the client that the session is for, if it is for one. */
export function sessionPage(
  base: string,
  { operator, email, project }: Session,
  client: Client | null,
): string {
  const page = fillPage(session, { base, operator, email, project });
  return page.replace('<!-- client -->', () => (client ? clientPart(client) : ''));
}

function clientPart({ profile, chats }: Client): string {
  const { name, phone_number, email, external_id } = profile;
  const client = name ?? phone_number ?? email ?? external_id ?? 'a client without a name';
  const heading = fillPage('<h2>{{client}}</h2>', { client });
  const facts = [phone_number, email].filter((fact) => fact !== null && fact !== client).join(', ');
  const intro = facts === '' ? heading : heading + fillPage('<p>{{facts}}</p>', { facts });
  if (chats.length === 0) return `${intro}<p>There are no chats with this client yet.</p>`;
  return `${intro}<ul>${chats.map(chatItem).join('')}</ul>`;
}

const chatItem = ({ platform, name, last_active_at }: SeenChat): string =>
  fillPage(
    '<li><strong>{{chat}}</strong>, last active on <time datetime="{{moment}}">{{day}} UTC</time></li>',
    {
      chat: [platform.replaceAll('_', ' '), name].filter((word) => word !== null).join(': '),
      moment: last_active_at.toISOString(),
      day: dayFormat.format(last_active_at),
    },
  );

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
