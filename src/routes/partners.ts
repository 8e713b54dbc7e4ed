import { createGuards } from '../access/auth/guards.ts';
import { token } from '../access/oauth/token.ts';
import { listProfiles } from '../clients/profiles/list.ts';
import { listProfileAudit } from '../clients/profiles/list-audit.ts';
import {
  readProfile,
  readProfileByExternalId,
  readProfileByPhone,
  readProfileOfChat,
} from '../clients/profiles/read.ts';
import { readProfileAudit } from '../clients/profiles/read-audit.ts';
import {
  updateProfile,
  updateProfileByExternalId,
  updateProfileByPhone,
} from '../clients/profiles/update.ts';
import { createCode } from '../clients/promocodes/create-code.ts';
import { createGroup } from '../clients/promocodes/create-group.ts';
import { deleteCode } from '../clients/promocodes/delete-code.ts';
import { deleteGroup } from '../clients/promocodes/delete-group.ts';
import { generateCode } from '../clients/promocodes/generate-code.ts';
import { listCodes } from '../clients/promocodes/list-codes.ts';
import { listGroups } from '../clients/promocodes/list-groups.ts';
import { patchCode } from '../clients/promocodes/patch-code.ts';
import { patchGroup } from '../clients/promocodes/patch-group.ts';
import { readCode } from '../clients/promocodes/read-code.ts';
import { readGroup } from '../clients/promocodes/read-group.ts';
import type { WriteCode } from '../clients/promocodes/write.ts';
import { deleteCredentials } from '../events/endpoints/delete-credentials.ts';
import { getCredentials } from '../events/endpoints/get-credentials.ts';
import { putCredentials } from '../events/endpoints/put-credentials.ts';
import { readAbTest } from '../mailings/ab-test/read.ts';
import { calculateMailing } from '../mailings/calculate.ts';
import { createConversion } from '../mailings/conversions/create.ts';
import { createMailing } from '../mailings/create.ts';
import { listMailings } from '../mailings/list.ts';
import { readMailing } from '../mailings/read.ts';
import { stopAMailing } from '../mailings/stop.ts';
import { connector } from '../messaging/connector/connector.ts';
import type { AcceptPush } from '../messaging/push-messages/accept.ts';
import { cancelPushMessage } from '../messaging/push-messages/cancel.ts';
import { createPushMessage } from '../messaging/push-messages/create.ts';
import { listPushMessages } from '../messaging/push-messages/list.ts';
import { readPushMessage } from '../messaging/push-messages/read.ts';
import { createTask } from '../messaging/stream/create.ts';
import { streamPace } from '../messaging/stream/pace.ts';
import {
  apiDescription,
  apiGuide,
  apiPage,
  apiPageStyle,
  eventDescription,
  guideForPrograms,
} from '../openapi/serve.ts';
import { createIframeLink } from '../people/iframe/create-link.ts';
import type { Context } from '../platform/context.ts';
import { anyone } from '../platform/http/guard.ts';
import type { Route } from '../platform/http/router.ts';
import type { Turns } from '../platform/pump/turns.ts';

/** The API for partners. */
export function addPartnerRoutes(
  route: Route,
  context: Context,
  { turns, accept, writeCode }: { turns: Turns; accept: AcceptPush; writeCode: WriteCode },
): void {
  const { requireOAuth, requireKeyOrOAuth } = createGuards(context, turns);

  route('POST', '/api/partners/oauth/', anyone, token);
  route('POST', '/api/partners/connector/', requireOAuth, connector);
  route('POST', '/api/partners/iframe/', requireOAuth, createIframeLink);
  route('POST', '/api/partners/stream/', requireOAuth, createTask(accept, streamPace(context)));
  route('GET', '/api/partners/integrations/credentials/', requireOAuth, getCredentials);
  route('PUT', '/api/partners/integrations/credentials/', requireOAuth, putCredentials);
  route('DELETE', '/api/partners/integrations/credentials/', requireOAuth, deleteCredentials);
  route('GET', '/api/partners/push-messages/', requireKeyOrOAuth, listPushMessages);
  route('POST', '/api/partners/push-messages/', requireKeyOrOAuth, createPushMessage(accept));
  route('GET', '/api/partners/push-messages/:uuid/', requireKeyOrOAuth, readPushMessage);
  route('POST', '/api/partners/push-messages/:uuid/cancel/', requireKeyOrOAuth, cancelPushMessage);

  route('GET', '/api/partners/mailings/', requireKeyOrOAuth, listMailings);
  route('POST', '/api/partners/mailings/', requireKeyOrOAuth, createMailing);
  route('GET', '/api/partners/mailings/:uuid/', requireKeyOrOAuth, readMailing);
  route('GET', '/api/partners/mailings/:uuid/ab-test/', requireKeyOrOAuth, readAbTest);
  route('POST', '/api/partners/mailings/:uuid/calculate/', requireKeyOrOAuth, calculateMailing);
  route('POST', '/api/partners/mailings/:uuid/stop/', requireKeyOrOAuth, stopAMailing);
  route('POST', '/api/partners/conversions/', requireKeyOrOAuth, createConversion);

  route('GET', '/api/partners/promocode-groups/', requireKeyOrOAuth, listGroups);
  route('POST', '/api/partners/promocode-groups/', requireKeyOrOAuth, createGroup);
  route('GET', '/api/partners/promocode-groups/:uuid/', requireKeyOrOAuth, readGroup);
  route('PATCH', '/api/partners/promocode-groups/:uuid/', requireKeyOrOAuth, patchGroup);
  route('DELETE', '/api/partners/promocode-groups/:uuid/', requireKeyOrOAuth, deleteGroup);
  route('GET', '/api/partners/promocodes/', requireKeyOrOAuth, listCodes);
  route('POST', '/api/partners/promocodes/', requireKeyOrOAuth, createCode(writeCode));
  route('POST', '/api/partners/promocodes/generate/', requireKeyOrOAuth, generateCode(writeCode));
  route('GET', '/api/partners/promocodes/:uuid/', requireKeyOrOAuth, readCode);
  route('PATCH', '/api/partners/promocodes/:uuid/', requireKeyOrOAuth, patchCode);
  route('DELETE', '/api/partners/promocodes/:uuid/', requireKeyOrOAuth, deleteCode);

  route('GET', '/api/partners/profiles/', requireKeyOrOAuth, listProfiles);
  route('GET', '/api/partners/profiles/audit/', requireKeyOrOAuth, listProfileAudit);
  route('GET', '/api/partners/profiles/audit/:uuid/', requireKeyOrOAuth, readProfileAudit);
  route('GET', '/api/partners/profiles/chat/:uuid/', requireKeyOrOAuth, readProfileOfChat);
  route('GET', '/api/partners/profiles/external/:id/', requireKeyOrOAuth, readProfileByExternalId);
  route('PUT', '/api/partners/profiles/external/:id/', requireKeyOrOAuth, updateProfileByExternalId);
  route('GET', '/api/partners/profiles/phone/:number/', requireKeyOrOAuth, readProfileByPhone);
  route('PUT', '/api/partners/profiles/phone/:number/', requireKeyOrOAuth, updateProfileByPhone);
  route('GET', '/api/partners/profiles/:uuid/', requireKeyOrOAuth, readProfile);
  route('PUT', '/api/partners/profiles/:uuid/', requireKeyOrOAuth, updateProfile);

  route('GET', '/api/partners/openapi.json', anyone, apiDescription(route.known));
  route('GET', '/api/partners/asyncapi.json', anyone, eventDescription(route.known));
  route('GET', '/llms.txt', anyone, guideForPrograms);
  route('GET', '/api/partners/docs/', anyone, apiPage(route.known));
  route('GET', '/api/partners/docs/contract.md', anyone, apiGuide('contract.md'));
  route('GET', '/api/partners/docs/api-messenger.md', anyone, apiGuide('api-messenger.md'));
  route('GET', '/api/partners/docs/examples/messenger.mjs', anyone, apiGuide('examples/messenger.mjs'));
  route('GET', '/api/partners/docs/docs.css', anyone, apiPageStyle);
}
