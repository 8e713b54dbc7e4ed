import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * The settings with which npm asks this machine's registry from another folder or prefix, where it would not find them.
 * By default npm waits five minutes for an answer that never comes. Two of those exceeded a test's limit.
 */
export async function registrySettings(): Promise<{ lines: string[]; certificates: string | undefined }> {
  const certificates = (await settingOf('cafile')) || process.env.NODE_EXTRA_CA_CERTS;
  const settings = {
    'fetch-timeout': '60000',
    'fetch-retries': '5',
    registry: await settingOf('registry'),
    'https-proxy': await settingOf('https-proxy'),
    noproxy: await settingOf('noproxy'),
    cafile: certificates,
  };
  const lines = Object.entries(settings).flatMap(([name, value]) => (value ? [`${name}=${value}`] : []));
  return { lines, certificates };
}

async function settingOf(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', name]);
  const value = stdout.trim();
  return value === 'null' ? '' : value;
}
