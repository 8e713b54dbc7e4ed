import type { Config } from '../platform/config.ts';
import { demoUser } from './content.ts';
import type { Demo } from './create-demo.ts';

/**
 * The words of the command that sends a message to the demo's client. `header` carries the key as the shell reads it.
 */
function curlWords(publicUrl: string, header: string): string[] {
  const body = {
    profile: { external_id: demoUser },
    content: { type: 'TEXT', text: 'Hello from Patchbay' },
    // The message is sent even if an operator has answered in the chat center, and a session is open.
    is_force: true,
  };
  return [
    `curl -X POST ${publicUrl}/api/partners/push-messages/`,
    `-H ${header}`,
    "-H 'content-type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ];
}

/** For the demo page: on several lines, with a variable in place of the key. */
export const curlForPage = (publicUrl: string): string =>
  curlWords(publicUrl, '"bot-key: $BOT_KEY"').join(' \\\n  ');

/** The text that `serve` prints once. The curl command is on a separate line, without indentation. */
export function describeDemo(demo: Demo, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `
Welcome to Patchbay. The database was empty, so Patchbay created a demo project.

  Demo page       ${publicUrl}/demo/
  Sign in         ${demo.signInUrl}
                  (works once, within 24 hours, as ${demo.ownerEmail})

  Bot key         ${demo.botKey}
  Client id       ${demo.clientId}
  Client secret   ${demo.clientSecret}

These values are shown only once. The bot key and the client secret expire after a day, unless you keep them on the
start page of the console. Open the demo page and run this line in another terminal:

${curlWords(publicUrl, `'bot-key: ${demo.botKey}'`).join(' ')}
`;
}
