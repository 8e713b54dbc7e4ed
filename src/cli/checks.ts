import { accessSync, constants, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Config } from '../platform/config.ts';
import { leftBytes } from '../platform/database/disk.ts';
import { errorText } from '../platform/error-text.ts';
import { parseAllowList } from '../platform/outbound/allow.ts';

/**
 * `remedy` says how to mend a problem, and is null without one. A warning marks a setup that works here but not
 * elsewhere.
 */
export type Check = {
  name: string;
  state: 'ok' | 'warning' | 'failed';
  detail: string;
  remedy: string | null;
};

const oldestNode = 24;

export const ok = (name: string, detail: string): Check => ({ name, state: 'ok', detail, remedy: null });

export const warning = (name: string, detail: string, remedy: string): Check => ({
  name,
  state: 'warning',
  detail,
  remedy,
});

export const failed = (name: string, detail: string, remedy: string): Check => ({
  name,
  state: 'failed',
  detail,
  remedy,
});

export function checkNode(version: string): Check {
  if (Number.parseInt(version, 10) >= oldestNode) return ok('node', `Node ${version}`);
  return failed(
    'node',
    `This is Node ${version}.`,
    `Start through npm (npm start, npm run patchbay), which brings Node ${oldestNode}.`,
  );
}

export function checkDataFolder({ databaseUrl, dataDir, s3, diskReserveBytes }: Config): Check {
  if (databaseUrl !== null && s3 !== null) {
    return ok('data folder', 'not needed beside DATABASE_URL and S3_ENDPOINT');
  }
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return failed(
      'data folder',
      `${dataDir} is not writable.`,
      'Make the user that runs Patchbay its owner, or set another folder in PATCHBAY_DATA_DIR.',
    );
  }
  if (databaseUrl === null) {
    const left = leftBytes(dataDir);
    return left < diskReserveBytes
      ? failed(
          'data folder',
          `${megabytes(left)} MB are free on the disk of ${dataDir}. The database writes nothing below ${megabytes(diskReserveBytes)} MB.`,
          'Free some space: writing continues by itself.',
        )
      : ok('data folder', `${dataDir} is writable`);
  }
  return warning(
    'data folder',
    `Uploaded files are in ${dataDir}; other machines cannot read them.`,
    'With several machines, set S3_ENDPOINT and the other S3 settings.',
  );
}

const megabytes = (bytes: number): number => Math.floor(bytes / 2 ** 20);

export function checkPublicUrl({ publicUrl }: Config): Check {
  const { hostname, protocol } = new URL(publicUrl);
  const name = 'public url';
  if (/^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(hostname)) {
    return warning(
      name,
      `Other machines cannot reach ${publicUrl}.`,
      'Set PUBLIC_URL to the address that partners and messengers use.',
    );
  }
  if (protocol === 'https:') return ok(name, publicUrl);
  return warning(
    name,
    `${publicUrl} is not encrypted.`,
    'Put a TLS proxy in front and set PUBLIC_URL to https://…',
  );
}

/** A port that Patchbay itself holds is ok: doctor may run beside the service. */
export async function checkPort({ port, host }: Config): Promise<Check> {
  const name = 'port';
  const refusal = await tryToListen(port, host);
  if (refusal === null) return ok(name, `${host}:${port} is free`);
  if (refusal === 'EADDRINUSE' && (await isPatchbay(port, host)))
    return ok(name, `Patchbay is running on ${host}:${port}`);
  return failed(name, `Cannot listen on ${host}:${port}: ${refusal}.`, 'Choose another PORT or HOST.');
}

function tryToListen(port: number, host: string): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => done(null)));
  });
}

async function isPatchbay(port: number, host: string): Promise<boolean> {
  const reachable =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${reachable}:${port}/healthz`, { signal: AbortSignal.timeout(2000) });
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** Without trusted proxies all callers behind a proxy count as one. */
export function checkProxies({ publicUrl, trustedProxies }: Config): Check {
  const name = 'proxies';
  if (trustedProxies.length > 0) return ok(name, `${trustedProxies.length} trusted`);
  if (!publicUrl.startsWith('https:')) return ok(name, 'none trusted');
  return warning(
    name,
    'The TLS proxy in front is not in TRUSTED_PROXIES, so client addresses are unknown.',
    'Set TRUSTED_PROXIES to its address. Otherwise failed sign-ins of all clients count as one.',
  );
}

export function checkAllowList({ allowOutbound }: Config): Check {
  const name = 'outbound';
  try {
    parseAllowList(allowOutbound);
    return ok(
      name,
      allowOutbound.length > 0 ? `public addresses and ${allowOutbound.join(', ')}` : 'public addresses only',
    );
  } catch (error) {
    return failed(
      name,
      errorText(error),
      'Separate CIDR ranges, addresses and hosts in PATCHBAY_ALLOW_OUTBOUND by commas.',
    );
  }
}
