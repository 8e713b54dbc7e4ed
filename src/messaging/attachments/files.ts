import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../platform/config.ts';
import { filesInFolder } from './files-in-folder.ts';
import { filesInS3 } from './files-in-s3.ts';

/** Where the bytes are. A name is two UUIDs with a slash between them. */
export type Files = {
  /** A folder of this machine for what is being received. */
  drafts: string;
  /** Makes a draft a file. Once it resolves the file is there, whole, and stays there; the draft may be gone. */
  take(name: string, draft: string, mediaType: string): Promise<void>;
  /** Null for a name that was never written, or was removed. */
  read(name: string): Promise<Readable | null>;
  /** Removing what is not there does nothing. */
  remove(name: string): Promise<void>;
};

export const filesOf = ({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Files =>
  s3 ? filesInS3(s3) : filesInFolder(join(dataDir, 'files'));
