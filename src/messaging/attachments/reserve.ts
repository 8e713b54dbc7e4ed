import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import type { Places } from '../../platform/places.ts';
import { Throttled } from '../../platform/problem.ts';
import { noRoom, roomOf, type Uploader } from './room.ts';
import { attachmentLimit } from './schema.ts';
import { hasRoom } from './store.ts';

const mebibyte = 1024 * 1024;

/** The bytes in transit in one process: two, five and ten files of the largest size. */
const most = { address: 40 * mebibyte, project: 100 * mebibyte, process: 200 * mebibyte };
const fullForSeconds = 5;

type Uploading = {
  context: Pick<Context, 'sql' | 'config'>;
  request: FastifyRequest;
  reply: FastifyReply;
};

/**
 * Reserves a place for a file before its first byte is read. The end of the request releases the place. A file of
 * unknown size counts as the largest. Throws `Throttled`, and `HttpProblem` when the project has no room.
 */
export async function reserveUpload(
  places: Places,
  { context, request, reply }: Uploading,
  { projectId, uploader, from }: { projectId: string; uploader: Uploader; from: string | null },
): Promise<void> {
  const size = Number(request.headers['content-length'] ?? attachmentLimit);
  if (!(await hasRoom(context.sql, projectId, size, roomOf(context.config, uploader)))) throw noRoom();
  const giveBack = places.take(size, [
    { subject: 'all', most: most.process },
    { subject: `project ${projectId}`, most: most.project },
    ...(from === null ? [] : [{ subject: `from ${from}`, most: most.address }]),
  ]);
  if (giveBack === null) throw new Throttled(fullForSeconds);
  reply.raw.once('close', giveBack);
  // A connection that is already closed emits no second event, and would keep its place for ever.
  if (reply.raw.destroyed) giveBack();
}
