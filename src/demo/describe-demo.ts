import type { Config } from '../config.ts';
import { demoUser } from './content.ts';
import type { Demo } from './create-demo.ts';

/** The command that the demo page shows too, there with a variable in the key's place. */
export function curlCommand(publicUrl: string, botKey: string): string {
  const body = { profile: { external_id: demoUser }, content: { type: 'TEXT', text: 'Hello from Patchbay' } };
  return (
    `curl -X POST ${publicUrl}/api/partners/push-messages/ -H 'bot-key: ${botKey}' ` +
    `-H 'content-type: application/json' -d '${JSON.stringify(body)}'`
  );
}

/** What `serve` prints once. The curl command stands on a line of its own, from its beginning. */
export function describeDemo(demo: Demo, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `
Welcome to Patchbay. There was nothing here yet, so a demo project was made for you.

  Demo page       ${publicUrl}/demo/
  Sign in         ${demo.signInUrl}
                  (once, within 24 hours, as ${demo.ownerEmail})

  Bot key         ${demo.botKey}
  Client id       ${demo.clientId}
  Client secret   ${demo.clientSecret}

These are shown this once. Open the demo page, run this line in another terminal, and watch:

${curlCommand(publicUrl, demo.botKey)}
`;
}
