import type { Config } from '../../platform/config.ts';
import { HttpProblem } from '../../platform/http/errors.ts';

/** Whose file it is: one of the project's people, somebody who writes to it, or an anonymous visitor of a page. */
export type Uploader = 'member' | 'client' | 'visitor';

/**
 * The share of a project's room up to which each may fill it. Visitors are unlimited in number, and anybody may write
 * in a messenger. Neither takes the last of the room from the project's clients and its own people.
 */
const shares: Readonly<Record<Uploader, number>> = { member: 1, client: 0.8, visitor: 0.5 };

export const roomOf = (
  { projectStorageBytes }: Pick<Config, 'projectStorageBytes'>,
  uploader: Uploader,
): number => Math.floor(projectStorageBytes * shares[uploader]);

export const noRoom = () => new HttpProblem(409, 'There is no room for more files in this project.');
