/** A user's file is unusable: fetching or reading it again will not help. The message is for people. */
export class BadFile extends Error {}

/** A user's file is unavailable now, and perhaps not later. The message is for people. */
export class FileUnavailable extends Error {}
