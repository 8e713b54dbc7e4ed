import { inOrder } from '../../platform/in-order.ts';

/**
 * Where changes wait for each other in a process. Each would hold a connection while it waited for a lock in the
 * database.
 */
const ofProfile = inOrder();
const ofNames = inOrder();

/** One change of a profile at a time. */
export const afterChanges = <Result>(projectId: string, id: string, change: () => Promise<Result>) =>
  ofProfile(`${projectId} ${id}`, change);

/** One change of numbers and external ids of a project at a time. */
export const afterNamings = <Result>(projectId: string, change: () => Promise<Result>) =>
  ofNames(projectId, change);
