import type { Member } from '../../../access/auth/member.ts';
import { confirm } from '../../../events/endpoints/probe.ts';
import { openSecrets, secretsInForce } from '../../../events/secrets.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { loadWebhook } from './load.ts';
import { TestCall } from './schema.ts';

/** POST /console/api/webhooks/{uuid}/test/: one `confirmation` event, signed as deliveries are, and not logged. */
export const testWebhook = actionFor<Member>()({
  params: UuidParams,
  response: TestCall,
  load: loadWebhook,
  handle: async ({ context, loaded: { id, url, sealed_secrets } }) => {
    const secrets = secretsInForce(openSecrets(context.vault, id, sealed_secrets), context.clock.now());
    const { durationMs, status, error, answer } = await confirm(context, { url, secrets });
    return { duration_ms: durationMs, status, error, answer };
  },
});
