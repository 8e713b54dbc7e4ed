import type { Context } from '../../platform/context.ts';
import { leaseDueFiles } from '../attachments/client-files-store.ts';
import { bringFile, fileLeaseMs } from './bring-file.ts';
import { type Handling, startHandling } from './handling.ts';

/** Fetches the files of clients as soon as they are known: some providers' addresses expire within minutes. */
export const startFetching = (context: Context): Handling =>
  startHandling(context, {
    topic: 'files',
    leaseMs: fileLeaseMs,
    lease: leaseDueFiles,
    handle: bringFile,
  });
