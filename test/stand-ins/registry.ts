import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * How npm asks this machine's registry from another folder or prefix, where it would not find these settings, as lines
 * of an npmrc.
 * By default npm waits five minutes for an answer that never comes. Two of those exceeded a test's limit.
 */
export async function registrySettings(): Promise<string[]> {
  const settings = ['fetch-timeout=60000', 'fetch-retries=5'];
  for (const name of ['registry', 'https-proxy', 'noproxy']) {
    const value = await settingOf(name);
    if (value) settings.push(`${name}=${value}`);
  }
  const certificates = await certificatesFile();
  if (certificates) settings.push(`cafile=${certificates}`);
  return settings;
}

/** The file with the certificates that npm trusts, if the machine has its own. */
export const certificatesFile = async (): Promise<string | undefined> =>
  (await settingOf('cafile')) || process.env.NODE_EXTRA_CA_CERTS;

async function settingOf(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', name]);
  const value = stdout.trim();
  return value === 'null' ? '' : value;
}
