import { Readable } from 'node:stream';
import type { InboundFile } from '../../channels/contract/inbound.ts';
import type { Context } from '../../platform/context.ts';
import { attachmentAddress } from './address.ts';
import { insertClientFile } from './client-files-store.ts';
import { createAttachment } from './create.ts';

type Tools = Pick<Context, 'sql' | 'clock' | 'newId' | 'config' | 'log' | 'wake'>;

/** The address of a client's file from now on. The bytes are stored already, or are fetched soon. */
export async function expectFile(
  tools: Tools,
  channel: { projectId: string; id: string },
  { name = 'file', ...source }: InboundFile,
): Promise<string> {
  const { projectId } = channel;
  if ('bytes' in source) {
    const bytes = Readable.from([source.bytes]);
    return (await createAttachment(tools, { projectId, name, bytes, anyType: true })).url;
  }
  const key = { projectId, id: tools.newId() };
  const now = tools.clock.now();
  await insertClientFile(tools.sql, { ...key, channelId: channel.id, source, name: name.slice(0, 200), now });
  tools.wake.wake('files');
  return attachmentAddress(tools.config, key, name.slice(0, 200));
}
