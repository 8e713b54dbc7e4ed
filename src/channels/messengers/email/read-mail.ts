import { apart, Overrun } from '../../../platform/apart.ts';
import { moduleAt } from '../../../platform/module-at.ts';
import type { InboundEvent } from '../../contract/inbound.ts';
import { eventsOf, type Received } from './receive.ts';
import type { Settings } from './settings.ts';

/** Reading so few bytes costs little, whatever they are. */
const mostHere = 8 * 1024;
export const isSmall = (source: Buffer): boolean => source.length <= mostHere;
/** Ten times what the largest mail takes on a busy machine. */
const bounds = { ms: 20_000, memoryMb: 256 };
const longestHead = 64 * 1024;
const headMs = 5_000;

export const unreadable = '(The text of this mail could not be read.)';

/**
 * The events of a mail. Anybody may write to the mailbox: a large mail is read in its own thread. If it takes too
 * long there, only its head is read, in the same way. A mail therefore holds up neither the service nor the mails
 * behind it.
 */
export async function readMail(
  received: Received,
  settings: Settings,
  ms = bounds.ms,
): Promise<InboundEvent[]> {
  if (isSmall(received.source)) return eventsOf(received, settings);
  return (await readApart(received, settings, ms)) ?? (await eventsOfHead(received, settings));
}

/** Null for a mail that cannot be read, or not in this time. */
async function readApart(received: Received, settings: Settings, ms: number): Promise<InboundEvent[] | null> {
  const module = moduleAt('./mail-worker', import.meta);
  const events = await apart<InboundEvent[] | null>(module, { received, settings }, { ...bounds, ms }).catch(
    (error: unknown) => {
      if (error instanceof Overrun) return null;
      throw error;
    },
  );
  return events?.map(withBuffer) ?? null;
}

/** Another thread's bytes arrive as an array. */
function withBuffer(event: InboundEvent): InboundEvent {
  if (event.kind !== 'message' || !event.message.file || !('bytes' in event.message.file)) return event;
  const file = { ...event.message.file, bytes: Buffer.from(event.message.file.bytes) };
  return { ...event, message: { ...event.message, file } };
}

async function eventsOfHead({ source, fallbackId }: Received, settings: Settings): Promise<InboundEvent[]> {
  const head = { source: headOf(source), fallbackId };
  const events = await readApart(head, settings, headMs);
  return (events ?? []).map((event) =>
    event.kind === 'message'
      ? {
          ...event,
          message: { ...event.message, text: `${event.message.text ?? ''}\n\n${unreadable}`.trim() },
        }
      : event,
  );
}

function headOf(source: Buffer): Buffer {
  const head = source.subarray(0, longestHead);
  const ends = [head.indexOf('\r\n\r\n'), head.indexOf('\n\n')].filter((end) => end >= 0);
  return head.subarray(0, Math.min(head.lastIndexOf('\n') + 1, ...ends));
}
