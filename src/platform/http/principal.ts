/** Who a call acts for. Everything it may see or touch belongs to `projectId`. */
export type Principal = {
  /** A person is somebody in the console, who calls many of the actions that partners call. */
  kind: 'oauth' | 'bot_key' | 'person';
  projectId: string;
  /** Of the application, the bot key or the operator: what belongs to one caller is no other's in the project. */
  callerId: string;
  /** The application that a token belongs to; null for a bot key and for a person. */
  applicationId: string | null;
  /** The application's, the key's or the person's, for records of who has done what. */
  name: string;
};
