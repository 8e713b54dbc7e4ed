import type { Sql } from '../../platform/database/database.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { Credential } from './credential.ts';

type PrincipalRow = {
  kind: Principal['kind'];
  hash: Buffer;
  project_id: string;
  caller_id: string;
  application_id: string | null;
  name: string;
};

/** The principal of each credential, in order. Null for an unknown, lapsed or revoked one. */
export async function findPrincipals(
  sql: Sql,
  credentials: Credential[],
  now: Date,
): Promise<(Principal | null)[]> {
  const hashesOf = (kind: Principal['kind']) =>
    credentials.filter((credential) => credential.kind === kind).map(({ hash }) => hash);
  const rows = await sql<PrincipalRow[]>`
    select 'oauth' as kind, token_hash as hash, project_id, application_id as caller_id, application_id, applications.name
    from access_tokens
    join token_families on token_families.id = family_id
    join applications on applications.id = application_id
    where token_hash = any (${hashesOf('oauth')}) and expires_at > ${now} and revoked_at is null
    union all
    select 'bot_key', key_hash, project_id, id, null, name
    from bot_keys
    where key_hash = any (${hashesOf('bot_key')}) and revoked_at is null`;
  const found = new Map(rows.map((row) => [nameOf(row), toPrincipal(row)]));
  return credentials.map((credential) => found.get(nameOf(credential)) ?? null);
}

// A bot key that is sent as a token has the key's hash, but is no token.
const nameOf = ({ kind, hash }: Credential): string => kind + hash.toString('latin1');

const toPrincipal = (row: PrincipalRow): Principal => ({
  kind: row.kind,
  projectId: row.project_id,
  callerId: row.caller_id,
  applicationId: row.application_id,
  name: row.name,
});
