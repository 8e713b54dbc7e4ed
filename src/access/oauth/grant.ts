import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Context } from '../../platform/context.ts';
import { openAction } from '../../platform/http/action.ts';
import { seeOther, sendCard } from '../../platform/http/card.ts';
import { basePath } from '../../platform/http/page.ts';
import { isUuid } from '../../platform/id.ts';
import { isOwnForm, openForm } from '../auth/form.ts';
import { sendLapsedForm } from '../auth/lapsed-form.ts';
import { type Person, personIn } from '../auth/person.ts';
import { signInAddress } from '../auth/way-back.ts';
import { createCode } from './create-code.ts';
import { grantable, grantCard, wrongCard } from './grant-card.ts';
import {
  type Application,
  answerAddress,
  complaintAbout,
  type GrantRequest,
  isRegistered,
  readGrantRequest,
} from './grant-request.ts';
import { findApplication } from './store.ts';

/**
 * GET /integrations/oauth/: an application asks for a project. Errors of the application or its address are shown
 * here. A redirect reports every other error to the application. Source: docs/contract.md, section 2.
 */
export const showGrant = openAction({
  handle: async ({ context, request, reply }) => {
    const visit = await admit(context, request, reply);
    return 'person' in visit ? sendGrant(context, request, reply, visit) : visit.answered;
  },
});

/** POST /integrations/oauth/, with the same query: the person has decided. */
export const decideGrant = openAction({
  body: Type.Object({
    token: Type.Optional(Type.String()),
    decision: Type.Optional(Type.String()),
    project: Type.Optional(Type.String()),
  }),
  form: true,
  handle: async ({ context, body, request, reply }) => {
    const visit = await admit(context, request, reply);
    if (!('person' in visit)) return visit.answered;
    const { asked, application, person, target } = visit;
    const { config } = context;
    const goBack = (answer: Record<string, string>) => seeOther(reply, addressFor(context, asked, answer));

    if (!isOwnForm(request, config, body.token ?? '')) {
      return sendLapsedForm(reply, config, basePath(config.publicUrl) + target);
    }
    if (body.decision === 'refuse') return goBack({ error: 'access_denied' });
    const project = grantable(person).find(({ id }) => id === body.project);
    if (body.decision !== 'approve' || !project) {
      return sendGrant(context, request, reply, visit, 'Choose a project.');
    }
    const { redirectUri, codeChallenge } = asked;
    const grant = { projectId: project.id, applicationId: application.id, approvedBy: project.operatorId };
    return goBack({ code: await createCode(context, { ...grant, redirectUri, codeChallenge }) });
  },
});

type Visit = {
  asked: GrantRequest;
  application: Application;
  person: Person;
  /** The path of this page with its query. */
  target: string;
};

/** The request and the person who decides on it, or the finished answer. */
async function admit(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | { answered: FastifyReply }> {
  const { publicUrl } = context.config;
  const wrong = (reason: string) => ({
    answered: sendCard(reply, wrongCard(reason), { publicUrl, status: 400 }),
  });
  const asked = readGrantRequest(request.url);
  if (!asked) return wrong('The request must have one client_id and one redirect_uri.');
  const application = isUuid(asked.clientId) ? await findApplication(context.sql, asked.clientId) : undefined;
  if (!application) return wrong('The client_id is unknown.');
  if (!isRegistered(application, asked.redirectUri)) {
    return wrong(`The redirect_uri is not registered for ${application.name}.`);
  }
  const complaint = complaintAbout(request.url);
  if (complaint) {
    const { error, description } = complaint;
    const answer = { error, error_description: description };
    return { answered: seeOther(reply, addressFor(context, asked, answer)) };
  }
  const person = await personIn(context, request.headers);
  const target = `/integrations/oauth/?${request.url.split('?').slice(1).join('?')}`;
  if (person) return { asked, application, person, target };
  return { answered: seeOther(reply, signInAddress(basePath(publicUrl), target)) };
}

const addressFor = ({ config }: Context, asked: GrantRequest, answer: Record<string, string>): string =>
  answerAddress(asked, answer, config.publicUrl.replace(/\/+$/, ''));

/**
 * Browsers apply `form-action` to redirects after a form. That includes the further redirects of the application's
 * own server, to any of its hosts. The scheme of its address is therefore the strictest possible source.
 */
function sendGrant(
  { config: { publicUrl } }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { asked: { redirectUri }, application, person, target }: Visit,
  complaint: string | null = null,
): FastifyReply {
  const card = grantCard({
    base: basePath(publicUrl),
    token: openForm(request, reply),
    application: application.name,
    redirectUri,
    person,
    target,
    complaint,
  });
  return sendCard(reply, card, {
    publicUrl,
    status: complaint === null ? 200 : 400,
    formsLeadTo: new URL(redirectUri).protocol,
  });
}
