import { Readable } from 'node:stream';
import type { InboundFile } from '../../channels/contract/inbound.ts';
import type { Context } from '../../platform/context.ts';
import { HttpProblem } from '../../platform/http/errors.ts';
import { Invalid } from '../../platform/problem.ts';
import { type AttachmentKey, attachmentAddress } from './address.ts';
import { insertClientFile } from './client-files-store.ts';
import { createAttachment } from './create.ts';

type Tools = Pick<Context, 'sql' | 'clock' | 'newId' | 'config' | 'log' | 'wake'>;

/** The address of a client's file from now on. The bytes are stored already, or are fetched soon. */
export async function expectFile(
  tools: Tools,
  { projectId, id: channelId }: { projectId: string; id: string },
  { name: given = 'file', ...source }: InboundFile,
): Promise<string> {
  const key = { projectId, id: tools.newId() };
  const name = given.slice(0, 200).toWellFormed();
  if ('bytes' in source) return keepBytes(tools, key, name, source.bytes);
  await insertClientFile(tools.sql, { ...key, channelId, source, name, now: tools.clock.now() });
  tools.wake.wake('files');
  return attachmentAddress(tools.config, key, name);
}

/** A file that is empty, or that the project has no room for, is missing at its address. Its message is stored. */
async function keepBytes(tools: Tools, key: AttachmentKey, name: string, bytes: Buffer): Promise<string> {
  try {
    const upload = {
      ...key,
      name,
      bytes: Readable.from([bytes]),
      uploader: 'client' as const,
      anyType: true,
      isOfMessage: true,
    };
    return (await createAttachment(tools, upload)).url;
  } catch (error) {
    if (!(error instanceof Invalid || error instanceof HttpProblem)) throw error;
    tools.log.warn({ err: error, projectId: key.projectId }, 'a client’s file is not kept');
    return attachmentAddress(tools.config, key, name);
  }
}
