import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const executable = places.find((path) => path !== undefined && existsSync(path));

/** The reason for skipping a test here, or false. */
export const noBrowser =
  executable === undefined && 'no Chromium was found on this machine; CHROMIUM may name one';

/** Only a failure takes this long, even on a busy machine. */
const hangsAfterMs = 600_000;

/**
 * A browser that connects only to loopback. Its visitor asked the system for less motion: between two frames a page
 * that fades in looks still and unreadable.
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: executable,
    timeout: hangsAfterMs,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ...more,
    ],
  });
  browser.on('context', (context) => {
    context.setDefaultTimeout(hangsAfterMs);
    context.on('page', (page) => page.emulateMedia({ reducedMotion: 'reduce' }));
  });
  return browser;
}
