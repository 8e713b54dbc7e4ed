import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication } from '../../src/access/oauth/applications.ts';
import { createDemo } from '../../src/demo/create-demo.ts';
import type { Config } from '../../src/platform/config.ts';
import type { Parts } from '../../src/service.ts';
import { startTelegram, type TelegramStandIn } from '../../src/simulator/telegram/provider.ts';
import { type ManualClock, manualClock } from '../clock.ts';
import { type Lifetime, type Patchbay, startPatchbay } from '../harness.ts';
import { type Messenger, startMessenger } from '../stand-ins/messenger.ts';
import { type Furnished, furnish, redirectUri } from './furnish.ts';

export type Scene = {
  patchbay: Patchbay;
  clock: ManualClock;
  /** The attacker. */
  alpha: Furnished;
  /** The victim. */
  bravo: Furnished;
  /** The called servers: a partner's webhook and messenger, and Telegram. */
  receiver: Messenger;
  bot: TelegramStandIn;
  webhookUrl: string;
  widgetVersion: string;
};

/**
 * The whole program, and two projects with one of everything. By default it has no workers, so that nothing moves by
 * itself. One application has access to both.
 */
export async function startScene(
  lifetime: Lifetime,
  parts: Parts & { config?: Partial<Config> } = {},
): Promise<Scene> {
  const clock = manualClock();
  const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-scene-'));
  lifetime.after(() => rm(dataDir, { recursive: true, force: true }));
  const { config = { roles: ['api'] }, ...others } = parts;
  const patchbay = await startPatchbay(lifetime, { clock, config: { dataDir, ...config }, ...others });
  const [receiver, bot] = [await startMessenger(lifetime), await startTelegram(lifetime)];
  await createDemo(patchbay.context);
  const shared = await createApplication(patchbay.context, { name: 'Shared', redirectUris: [redirectUri] });
  const outside = { webhookUrl: receiver.url, telegramRoot: bot.root };
  return {
    patchbay,
    clock,
    alpha: await furnish(patchbay, { name: 'alpha', digit: 1, shared, outside }),
    bravo: await furnish(patchbay, { name: 'bravo', digit: 2, shared, outside }),
    receiver,
    bot,
    webhookUrl: receiver.url,
    widgetVersion: await widgetVersionOf(patchbay),
  };
}

async function widgetVersionOf({ call }: Patchbay): Promise<string> {
  const { body } = await call('GET', '/widget.js');
  return /widget-files\/(\w+)\//.exec(String(body))?.[1] ?? '';
}
