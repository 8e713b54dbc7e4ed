import type { JSONValue } from '../../platform/database/database.ts';

/** The known facts about a recipient: their chat, and its profile. Times are ISO 8601 in UTC. */
export type Facts = {
  chat: {
    uuid: string;
    platform: string;
    name: string | null;
    username: string | null;
    phone: string | null;
    created_at: string;
    variables: { readonly [name: string]: JSONValue | undefined };
  };
  profile: {
    uuid: string;
    external_id: string | null;
    phone_number: string | null;
    email: string | null;
    name: string | null;
    timezone: string | null;
    pda_agreed: string | null;
    created_at: string;
    tags: readonly string[];
    attrs: { readonly [name: string]: JSONValue | undefined };
  };
};
