import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { postgresBinaries, startPostgres } from '../../../test/postgres.ts';
import { createPool } from './pool.ts';
import { readDatabaseUrl } from './server-address.ts';

const binaries = postgresBinaries();
const skip = reasonToSkip();
const options = { max: 2, statementTimeoutMs: 2_000 };

function reasonToSkip(): string | false {
  if (!binaries) return 'PostgreSQL binaries not found';
  return spawnSync('openssl', ['version']).error ? 'openssl not found' : false;
}

const folder = mkdtempSync(join(tmpdir(), 'patchbay-encryption-'));
after(() => rmSync(folder, { recursive: true }));

/** Makes a certificate for a name, signed by another or by itself. Returns its path without the extension. */
function makeCertificate(directory: string, name: string, signer?: string): string {
  const path = join(directory, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${path}.key`];
  const signed = signer ? ['-CA', `${signer}.pem`, '-CAkey', `${signer}.key`] : [];
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', ['req', '-x509', ...key, ...signed, ...names, '-out', `${path}.pem`], {
    stdio: 'ignore',
  });
  return path;
}

/** A server with a certificate for `localhost`, and one without. Both are at 127.0.0.1. */
async function startServers() {
  assert.ok(binaries);
  const [encrypted, plain] = [await startPostgres(binaries), await startPostgres(binaries)];
  after(() => encrypted.remove());
  after(() => plain.remove());
  const authority = makeCertificate(folder, 'authority');
  const stranger = makeCertificate(folder, 'stranger');
  const pool = await createPool(readDatabaseUrl(encrypted.url), options);
  const [row] = await pool<{ data_directory: string }[]>`show data_directory`;
  const data = row?.data_directory ?? '';
  makeCertificate(data, 'localhost', authority);
  const { uid, gid } = statSync(data);
  for (const ending of ['pem', 'key']) chownSync(join(data, `localhost.${ending}`), uid, gid);
  await pool.unsafe(`alter system set ssl_cert_file = 'localhost.pem'`);
  await pool.unsafe(`alter system set ssl_key_file = 'localhost.key'`);
  await pool.unsafe('alter system set ssl = on');
  await pool.end();
  await encrypted.stop();
  await encrypted.start();
  return { encrypted, plain, authority: `${authority}.pem`, stranger: `${stranger}.pem` };
}

const servers = skip ? undefined : await startServers();

/**
 * Whether the connection is encrypted.
 * @throws the reason why the connection fails.
 */
async function isEncrypted(server: 'encrypted' | 'plain', host: string, settings: string): Promise<boolean> {
  assert.ok(servers);
  const url = new URL(servers[server].url);
  const address = readDatabaseUrl(`postgres://postgres@${host}:${url.port}/postgres?${settings}`);
  const pool = await createPool(address, options);
  try {
    const rows = await pool<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return rows[0]?.ssl ?? false;
  } finally {
    await pool.end();
  }
}

test('the connection is encrypted as sslmode says, whether the server supports encryption or not', {
  skip,
}, async () => {
  assert.equal(await isEncrypted('encrypted', '127.0.0.1', ''), false);
  assert.equal(await isEncrypted('encrypted', '127.0.0.1', 'sslmode=disable'), false);
  assert.equal(await isEncrypted('encrypted', '127.0.0.1', 'sslmode=prefer'), true);
  assert.equal(await isEncrypted('plain', '127.0.0.1', 'sslmode=prefer'), false);
  assert.equal(await isEncrypted('encrypted', '127.0.0.1', 'sslmode=require'), true);
  await assert.rejects(isEncrypted('plain', '127.0.0.1', 'sslmode=require'), /does not support SSL/);
});

test('verify-ca checks the authority, verify-full also the name, and everything else is refused', {
  skip,
}, async () => {
  assert.ok(servers);
  const { authority, stranger } = servers;
  const known = `sslrootcert=${authority}`;
  const unknown = `sslrootcert=${stranger}`;
  assert.equal(await isEncrypted('encrypted', '127.0.0.1', `sslmode=verify-ca&${known}`), true);
  assert.equal(await isEncrypted('encrypted', 'localhost', `sslmode=verify-full&${known}`), true);
  // Like libpq, a named authority turns `require` into `verify-ca`.
  assert.equal(await isEncrypted('encrypted', '127.0.0.1', `sslmode=require&${known}`), true);
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    const refused = isEncrypted('encrypted', 'localhost', `sslmode=${mode}&${unknown}`);
    await assert.rejects(refused, /certificate|signature/, mode);
  }
  const wrongName = isEncrypted('encrypted', '127.0.0.1', `sslmode=verify-full&${known}`);
  await assert.rejects(wrongName, /does not match certificate/);
  await assert.rejects(isEncrypted('encrypted', 'localhost', 'sslmode=verify-full'), /certificate/);
  await assert.rejects(isEncrypted('encrypted', 'localhost', 'sslmode=verify-ca'), /sslrootcert/);
  await assert.rejects(isEncrypted('plain', 'localhost', `sslmode=verify-full&${known}`), /SSL/);
});

test('of several servers, each certificate is checked against its own server’s name', { skip }, async () => {
  assert.ok(servers);
  const { port } = new URL(servers.encrypted.url);
  const verified = `sslmode=verify-full&sslrootcert=${servers.authority}`;
  assert.equal(await isEncrypted('encrypted', `127.0.0.1:1,localhost`, verified), true);
  const wrong = isEncrypted('encrypted', `127.0.0.1:1,127.0.0.1`, verified);
  await assert.rejects(wrong, new RegExp(`127\\.0\\.0\\.1:${port}: .*does not match`));
});
