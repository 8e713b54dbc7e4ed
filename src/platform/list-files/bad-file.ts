/** A file that a user named is no good as it is: fetching or reading it again will not help. The message is for people. */
export class BadFile extends Error {}

/** A file that a user named cannot be had now, and perhaps later. The message is for people. */
export class FileUnavailable extends Error {}
