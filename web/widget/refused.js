/** The service refused the request; a retry would be refused again. */
export class Refused extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`The service answered ${status}.`);
    this.status = status;
  }
}

/**
 * Turns an unsuccessful response into an error.
 * @param {Response} response
 */
export const problemOf = ({ status }) =>
  status >= 400 && status < 500 && status !== 429
    ? new Refused(status)
    : new Error(`The service answered ${status}.`);
