import type { Context } from '../../platform/context.ts';
import { keepTo, type Rate } from '../../platform/limits/rates.ts';
import type { Room } from '../../platform/places.ts';
import type { ChatAddress } from './store.ts';

const minuteMs = 60_000;

/** The channel of the visitors, and their IP address. Null if it is unknown. */
export type Origin = { projectId: string; channelId: string; address: string | null };

type Most = { address: number; channel: number; project: number };

/** Per minute. A whole office may share one address. */
const openings: Most = { address: 30, channel: 3_000, project: 6_000 };
const messages: Most = { address: 120, channel: 3_000, project: 6_000 };
const uploads: Most = { address: 30, channel: 300, project: 600 };

/** At the same time, in one process. */
const connections: Most = { address: 200, channel: 5_000, project: 10_000 };

/** For one chat. */
const messagesOfChat = { most: 20, inMs: 10_000 };
const uploadsOfChat = { most: 10, inMs: minuteMs };
/** Pages of the history and new connections: both look through all messages of the chat. */
const readsOfChat = { most: 30, inMs: 10_000 };

type Tools = Pick<Context, 'sql' | 'clock'>;

/** Throws `Throttled`, as the three below do. */
export const admitOpening = (tools: Tools, origin: Origin): Promise<void> =>
  keepTo(tools, ratesOf('session', openings, origin));

export const admitMessage = (tools: Tools, origin: Origin, chat: ChatAddress): Promise<void> =>
  keepTo(tools, [
    ...ratesOf('message', messages, origin),
    { subject: `widget message of ${chat.channelId} ${chat.address}`, ...messagesOfChat },
  ]);

export const admitUpload = (tools: Tools, origin: Origin, chat: ChatAddress): Promise<void> =>
  keepTo(tools, [
    ...ratesOf('upload', uploads, origin),
    { subject: `widget upload of ${chat.channelId} ${chat.address}`, ...uploadsOfChat },
  ]);

export const admitReading = (tools: Tools, chat: ChatAddress): Promise<void> =>
  keepTo(tools, [{ subject: `widget reading of ${chat.channelId} ${chat.address}`, ...readsOfChat }]);

export const connectionRooms = (origin: Origin): Room[] => subjectsOf('connection', connections, origin);

const ratesOf = (what: string, most: Most, origin: Origin): Rate[] =>
  subjectsOf(what, most, origin).map((room) => ({ ...room, inMs: minuteMs }));

const subjectsOf = (what: string, most: Most, { projectId, channelId, address }: Origin): Room[] => [
  { subject: `widget ${what} in ${projectId}`, most: most.project },
  { subject: `widget ${what} at ${channelId}`, most: most.channel },
  ...(address === null ? [] : [{ subject: `widget ${what} from ${address}`, most: most.address }]),
];
