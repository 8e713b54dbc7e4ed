/** Who a partner's call acts for. Everything it may see or touch belongs to `projectId`. */
export type Principal = {
  kind: 'oauth' | 'bot_key';
  projectId: string;
  /** The application that a token belongs to; null for a bot key. */
  applicationId: string | null;
  /** The application's or the key's, for records of who has done what. */
  name: string;
};
