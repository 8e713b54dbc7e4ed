import { setTimeout as pause } from 'node:timers/promises';
import { loadChannel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import type { FileRequest } from '../../channels/contract/adapter.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { errorText } from '../../platform/error-text.ts';
import { HttpProblem } from '../../platform/http/errors.ts';
import { OutboundRefused } from '../../platform/outbound/outbound.ts';
import { createPlaces } from '../../platform/places.ts';
import { Invalid } from '../../platform/problem.ts';
import { exponentialDelay } from '../../platform/pump/backoff.ts';
import type { AttachmentKey } from '../attachments/address.ts';
import { type ClientFileRow, isAwaited, leaseFile, noteTry } from '../attachments/client-files-store.ts';
import { createAttachment } from '../attachments/create.ts';
import { attachmentLimit } from '../attachments/schema.ts';
import { type AttachmentRow, findAttachment } from '../attachments/store.ts';

const fetchMs = 60_000;
/** Longer than a fetch. */
export const fileLeaseMs = 90_000;
const firstPauseMs = 5_000;
const longestPauseMs = 3_600_000;
/** About half a day. */
const mostAttempts = 20;
const readerWaitsMs = 10_000;
const readerLooksMs = 250;
/** Files that are waited for at the same time, in one process and of one project. */
const mostAwaited = { process: 64, project: 8 };

/** The bytes are permanently unavailable. */
class FileLost extends Error {}

/** Fetches a leased file, and notes the time of the next attempt. Never rejects because of the provider. */
export async function bringFile(context: Context, file: ClientFileRow): Promise<void> {
  try {
    await fetchFile(context, file);
    await noteTry(context.sql, file, { due: null, problem: null });
  } catch (error) {
    const problem = errorText(error);
    const isLost =
      error instanceof FileLost || error instanceof OutboundRefused || file.attempts >= mostAttempts;
    const delay = exponentialDelay(file.attempts, firstPauseMs, longestPauseMs, Math.random);
    const due = isLost ? null : new Date(context.clock.now().getTime() + delay);
    context.log.warn({ err: error, channel: file.channel_id, isLost }, 'a client’s file was not fetched');
    await noteTry(context.sql, file, { due, problem });
  }
}

async function fetchFile(context: Context, file: ClientFileRow): Promise<void> {
  const request = await requestFor(context, file);
  const stored = Promise.withResolvers<void>();
  try {
    await storeAnswer(context, file, request, stored.promise);
  } finally {
    stored.resolve();
  }
}

async function storeAnswer(
  context: Context,
  file: ClientFileRow,
  request: FileRequest,
  until: Promise<void>,
): Promise<void> {
  const { status, body, truncated } = await context.outbound.request({
    ...request,
    method: 'GET',
    timeoutMs: fetchMs,
    maxResponseBytes: attachmentLimit,
    reader: { owner: file.project_id, until },
  });
  if (truncated) throw new FileLost('The file is larger than 20 MiB.');
  if ([401, 403, 404, 410].includes(status)) throw new FileLost(`The provider answered ${status}.`);
  if (status !== 200) throw new Error(`The provider answered ${status}.`);
  const { project_id: projectId, id, name } = file;
  try {
    await createAttachment(context, {
      projectId,
      id,
      name,
      bytes: once(body),
      uploader: 'client',
      anyType: true,
      isOfMessage: true,
    });
  } catch (error) {
    // The file is empty, or the project has no room for it.
    throw error instanceof Invalid || error instanceof HttpProblem ? new FileLost(error.message) : error;
  }
}

async function requestFor(context: Context, { channel_id, source }: ClientFileRow): Promise<FileRequest> {
  if ('url' in source) return source;
  const channel = await loadChannel(context, channel_id);
  if (!channel) throw new FileLost('The channel is gone.');
  const adapter = adapterFor(channel.platform);
  if (!adapter.locateFile) throw new FileLost('The channel has no such files.');
  const client = clientOf(context, adapter, channel, context.outbound);
  return adapter.locateFile(source.reference, channel.settings, client);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/**
 * Fetches a client's file that is read before it was fetched. Null if there is none. Waits for another process that
 * fetches it.
 */
export async function awaitFile(context: Context, key: AttachmentKey): Promise<AttachmentRow | null> {
  const { sql, clock } = context;
  const now = clock.now();
  const file = await leaseFile(sql, key, now, new Date(now.getTime() + fileLeaseMs));
  if (file) await bringFile(context, file);
  const giveUpAt = performance.now() + readerWaitsMs;
  for (;;) {
    // In this order: the other process stores the file first, and then ends the wait.
    const isComing = await isAwaited(sql, key);
    const row = await findAttachment(sql, key);
    if (row || !isComing) return row;
    if (performance.now() > giveUpAt) throw notHereYet();
    await pause(readerLooksMs);
  }
}

const notHereYet = () => new HttpProblem(503, 'The file is not here yet.', { 'retry-after': '10' });

/** Anybody with the address of a file may ask for it: however many do, one of them asks the database. */
export function awaitTogether(): typeof awaitFile {
  const waits = new Map<string, Promise<AttachmentRow | null>>();
  const places = createPlaces();
  return async (context, key) => {
    const name = `${key.projectId} ${key.id}`;
    const known = waits.get(name);
    if (known) return known;
    const leave = places.take(1, [
      { subject: 'all', most: mostAwaited.process },
      { subject: key.projectId, most: mostAwaited.project },
    ]);
    if (!leave) throw notHereYet();
    const wait = awaitFile(context, key).finally(() => {
      waits.delete(name);
      leave();
    });
    waits.set(name, wait);
    return wait;
  };
}
