/** The identity that a call acts for. Everything it may see or touch belongs to `projectId`. */
export type Principal = {
  /** A person is a user of the console, which calls many of the partners' actions. */
  kind: 'oauth' | 'bot_key' | 'person';
  projectId: string;
  /** The id of the application, the bot key or the operator. It separates callers within a project. */
  callerId: string;
  /** The application of a token. Null for a bot key and for a person. */
  applicationId: string | null;
  /** The name of the application, the key or the person, for audit records. */
  name: string;
};
