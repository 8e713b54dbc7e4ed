import type { Context } from '../platform/context.ts';
import { formatMessage, hasFormat } from '../platform/http/formats.ts';
import { whyRefused } from '../platform/outbound/outbound.ts';
import { fill, placeholdersOf } from '../platform/placeholders.ts';
import { type FieldMessages, Invalid, messages } from '../platform/problem.ts';
import type { Scenario, Step } from './schema.ts';

/** What decides whether an address may be called. */
export type Reach = Pick<Context, 'outbound'> & { config: Pick<Context['config'], 'publicUrl'> };

/**
 * Throws `Invalid` for addresses that no run can call: malformed ones, and those inside. Also for a button's address
 * that would run a script. A host that is a placeholder,
 * and the addresses behind a name, are checked at the call. Source: docs/contract.md, section 8.
 */
export async function checkAddresses(context: Reach, { steps }: Scenario): Promise<void> {
  const problems: FieldMessages = {};
  for (const step of steps) {
    const wrong: FieldMessages = {};
    for (const [field, address] of Object.entries(addressesIn(step))) {
      const complaint = await complaintAbout(context, address);
      if (complaint !== undefined) wrong[field] = [complaint];
    }
    for (const [field, address] of Object.entries(pressedIn(step))) {
      if (runsScript(address)) wrong[field] = [messages.url];
    }
    if (Object.keys(wrong).length > 0) problems[step.id] = wrong;
  }
  if (Object.keys(problems).length > 0) throw new Invalid({ steps: problems });
}

function addressesIn(step: Step): { [field: string]: string } {
  switch (step.type) {
    case 'message': {
      const { image, document } = step;
      return { ...(image && { image }), ...(document && { document }) };
    }
    case 'request':
      return { url: step.url };
    default:
      return {};
  }
}

/** The addresses that the client's own device opens. Besides web pages they may be those of apps, such as `tel:`. */
function pressedIn(step: Step): { [field: string]: string } {
  const buttons = step.type === 'message' ? (step.buttons ?? []) : [];
  return Object.fromEntries(
    buttons.flatMap(({ url }, place) => (url === undefined ? [] : [[`buttons.${place}.url`, url]])),
  );
}

const scripts = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:']);

/** As browsers read it: they drop line breaks, tabs and spaces in front. */
const runsScript = (address: string): boolean =>
  scripts.has(URL.parse(fill(address, () => ''))?.protocol ?? '');

async function complaintAbout(
  { outbound, config: { publicUrl } }: Reach,
  address: string,
): Promise<string | undefined> {
  const [host = ''] = /^(https?:\/\/)?[^/?#\\]*/i.exec(address) ?? [];
  if (placeholdersOf(host).length > 0) return undefined;
  const filled = fill(address, () => 'x');
  if (!hasFormat('uri', filled)) return formatMessage('uri', filled);
  return isOwnFile(publicUrl, filled) ? undefined : whyRefused(outbound, filled);
}

/** A file of this service, which may listen inside. */
const isOwnFile = (publicUrl: string, address: string): boolean => address.startsWith(`${publicUrl}/files/`);
