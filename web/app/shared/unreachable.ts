/** The server is unreachable. */
export class Unreachable extends Error {}
