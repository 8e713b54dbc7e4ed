import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../platform/config.ts';
import { filesInFolder } from './files-in-folder.ts';
import { filesInS3 } from './files-in-s3.ts';

/** The storage of the bytes. A name is two UUIDs with a slash between them. */
export type Files = {
  /** A local folder for files that are being received. */
  drafts: string;
  /** Makes a draft a file. Once it resolves, the file is complete and permanent, and the draft may be removed. */
  take(name: string, draft: string, mediaType: string): Promise<void>;
  /** Null for a name that was never written, or that was removed. */
  read(name: string): Promise<Readable | null>;
  /** Does nothing when the file does not exist. */
  remove(name: string): Promise<void>;
};

export const filesOf = ({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Files =>
  s3 ? filesInS3(s3) : filesInFolder(join(dataDir, 'files'));
