import { nameIn, notAnEmail, readEmail } from '../../access/auth/email.ts';
import { ensureOperator, isOperator } from '../../access/auth/operators-store.ts';
import { insertLink, type NewLink, replaceToken } from '../../access/iframe/store.ts';
import { findProfileId } from '../../clients/profiles/store.ts';
import type { Context } from '../../platform/context.ts';
import { isMissingRow } from '../../platform/database/missing-row.ts';
import { creation } from '../../platform/http/action.ts';
import { credentials, Forbidden } from '../../platform/http/errors.ts';
import { Invalid, messages } from '../../platform/problem.ts';
import { randomToken, sha256 } from '../../platform/secrets/secret.ts';
import { linkLivesMs, operatorNamed, profileNamed, unknownProfile } from './rules.ts';
import { IframeLink, IframeLinkCreate } from './schema.ts';

/** POST /api/partners/iframe/. Source: docs/contract.md, section 6. */
export const createIframeLink = creation({
  name: 'createIframeLink',
  summary: 'Create a temporary link to the chat center',
  description:
    'The link is for an inline frame. The origin of the embedding page must match a redirect URI of the application. The link opens for 15 minutes and only in the first browser that opens it.',
  body: IframeLinkCreate,
  response: IframeLink,
  handle: async ({ context, principal: { projectId, applicationId }, body, id }) => {
    if (!applicationId) throw new Error('the guard admitted a caller without an application');
    const profileId = await profileOf(context, projectId, body.profile);
    const operatorId = await operatorOf(context, projectId, body.operator);
    const createdAt = context.clock.now();
    const expiresAt = new Date(createdAt.getTime() + linkLivesMs);
    const token = randomToken();
    const tokenHash = sha256(token);
    const link = {
      id,
      projectId,
      applicationId,
      operatorId,
      profileId,
      tokenHash,
      createdAt,
      expiresAt,
    };
    if (!(await insert(context, link, body))) throw new Forbidden(credentials.incorrect);
    return present(context, token, expiresAt);
  },
  recall: async (context, { projectId }, id) => {
    const token = randomToken();
    const link = await replaceToken(context.sql, projectId, id, sha256(token));
    return link && present(context, token, link.expires_at);
  },
});

/** The people that the link names may go meanwhile. */
async function insert(
  { sql }: Context,
  link: NewLink,
  { operator, profile }: IframeLinkCreate,
): Promise<boolean> {
  try {
    return await insertLink(sql, link);
  } catch (error) {
    if (isMissingRow(error, 'iframe_links_project_id_operator_id_fkey'))
      throw unknownOperator(operator.uuid ?? link.operatorId);
    if (isMissingRow(error, 'iframe_links_project_id_profile_id_fkey')) throw unknownProfile(profile);
    throw error;
  }
}

const unknownOperator = (uuid: string) => new Invalid({ operator: { uuid: [messages.missingObject(uuid)] } });

const present = ({ config }: Pick<Context, 'config'>, token: string, expiresAt: Date): IframeLink => ({
  url: `${config.publicUrl}/chat-center/enter/${token}/`,
  expired_at: expiresAt.toISOString(),
});

async function profileOf(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  named: IframeLinkCreate['profile'],
): Promise<string | null> {
  const key = profileNamed(named);
  if (!key) return null;
  const profile = await findProfileId(sql, projectId, key);
  if (!profile) throw unknownProfile(named);
  return profile.id;
}

async function operatorOf(
  { sql, clock, newId }: Pick<Context, 'sql' | 'clock' | 'newId'>,
  projectId: string,
  named: IframeLinkCreate['operator'],
): Promise<string> {
  const operator = operatorNamed(named);
  if ('id' in operator) {
    if (await isOperator(sql, projectId, operator.id)) return operator.id;
    throw unknownOperator(operator.id);
  }
  const email = readEmail(operator.email);
  if (email === null) throw new Invalid({ operator: { email: [notAnEmail] } });
  const name = nameIn(operator.email);
  return ensureOperator(sql, { id: newId(), projectId, email, name, createdAt: clock.now() });
}
