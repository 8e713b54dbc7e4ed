import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import type { Places } from '../../platform/places.ts';
import { Throttled } from '../../platform/problem.ts';
import { noRoom } from './create.ts';
import { attachmentLimit } from './schema.ts';
import { hasRoom } from './store.ts';

const mebibyte = 1024 * 1024;

/** Bytes on their way at the same time, in one process: so many files of the largest size twice, five and ten times. */
const most = { address: 40 * mebibyte, project: 100 * mebibyte, process: 200 * mebibyte };
const fullForSeconds = 5;

type Uploading = {
  context: Pick<Context, 'sql' | 'config'>;
  request: FastifyRequest;
  reply: FastifyReply;
};

/**
 * Keeps a place for a file before a byte of it is read; the end of the request gives it back. A file that does not say how
 * large it is counts as the largest. Throws `Throttled`, and `HttpProblem` where the project has no room.
 */
export async function reserveUpload(
  places: Places,
  { context, request, reply }: Uploading,
  { projectId, from }: { projectId: string; from: string | null },
): Promise<void> {
  const size = Number(request.headers['content-length'] ?? attachmentLimit);
  if (!(await hasRoom(context.sql, projectId, size, context.config.projectStorageBytes))) throw noRoom();
  const giveBack = places.take(size, [
    { subject: 'all', most: most.process },
    { subject: `project ${projectId}`, most: most.project },
    ...(from === null ? [] : [{ subject: `from ${from}`, most: most.address }]),
  ]);
  if (giveBack === null) throw new Throttled(fullForSeconds);
  reply.raw.once('close', giveBack);
  // Whoever has left already is not told of again, and would keep a place for ever.
  if (reply.raw.destroyed) giveBack();
}
