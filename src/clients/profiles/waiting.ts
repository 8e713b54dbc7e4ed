import { inOrder } from '../../platform/in-order.ts';

// Changes wait here for each other in a process. Each would hold a connection while it waited for a lock in the database.

const ofProfile = inOrder();

/** One change of a profile at a time. */
export const afterChanges = <Result>(projectId: string, id: string, change: () => Promise<Result>) =>
  ofProfile(`${projectId} ${id}`, change);

/** One change of numbers and external ids of a project at a time. The key is the project's id. */
export const afterNamings = inOrder();
