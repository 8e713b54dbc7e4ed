/** The service understood, and said no: the same once more would be refused again. */
export class Refused extends Error {}

/**
 * What an answer that is no success means.
 * @param {Response} response
 */
export function problemOf({ status }) {
  const problem = `The service answered ${status}.`;
  return status >= 400 && status < 500 && status !== 429 ? new Refused(problem) : new Error(problem);
}
