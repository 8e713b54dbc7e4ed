import type { Context } from '../../platform/context.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { fileAt } from './address.ts';
import { fileName } from './create.ts';
import { filesOf } from './files.ts';
import { headersOf } from './serve.ts';
import { findAttachment } from './store.ts';

type Tools = Pick<Context, 'sql' | 'config' | 'outbound'>;

/**
 * The way out of a project's messengers. It reads the project's own files from the storage: their public address may
 * be private to us, or out of our reach. Every other address is called, as is that of a file which is not stored yet.
 */
export const outboundWithFiles = ({ sql, config, outbound }: Tools, projectId: string): Outbound => ({
  ...outbound,
  async request(request) {
    const key = request.method === 'GET' ? fileAt(config, request.url) : undefined;
    const row = key?.projectId === projectId ? await findAttachment(sql, key) : null;
    if (!key || !row) return outbound.request(request);
    const stored = { headers: headersOf(row), open: () => filesOf(config).read(fileName(key)) };
    return outbound.request({ ...request, stored });
  },
});
