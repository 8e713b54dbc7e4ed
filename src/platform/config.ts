import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import ipaddr from 'ipaddr.js';
import { isLoopback } from './loopback.ts';
import type { Smtp } from './outbound/mail.ts';
import type { TracesSettings } from './telemetry/traces.ts';

export type Role = 'api' | 'worker';

export type AddressRange = ReturnType<typeof ipaddr.parseCIDR>;

/** Object storage that speaks the S3 protocol. `endpoint` has no trailing slash. */
export type S3Settings = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** `port` 0 is any free port. Without a token the host is a loopback address. */
export type MetricsSettings = { port: number; host: string; token: string | null };

export type Config = {
  port: number;
  host: string;
  /** Without a trailing slash. Every absolute address in an answer begins with it. */
  publicUrl: string;
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** The address for LISTEN when `databaseUrl` leads to a pooler. */
  databaseListenUrl: string | null;
  /** Connections of one process to a server. */
  databasePoolSize: number;
  dataDir: string;
  /** The embedded database refuses writes while less is left on its disk. */
  diskReserveBytes: number;
  /** The storage of uploaded files. Null: in `dataDir`. */
  s3: S3Settings | null;
  /** The limit on the files of one project, in bytes. */
  projectStorageBytes: number;
  secretKey: string;
  allowOutbound: string[];
  /** The proxies whose headers about the caller are trusted. */
  trustedProxies: AddressRange[];
  /** Null: no mail is sent. */
  smtp: Smtp | null;
  /** Whether an empty embedded database gets a demo project. */
  hasDemo: boolean;
  /** Who may make projects. The command line always may. */
  projectsBy: 'owners' | 'anyone';
  roles: Role[];
  /** Null: no metrics are served. */
  metrics: MetricsSettings | null;
  /** Null: no traces are recorded. */
  traces: TracesSettings | null;
  logLevel: string;
};

export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>;

/** Every setting. `.env.example` lists them for people with their defaults, and a test compares the two. */
export const settings = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_POOL_SIZE',
  'PATCHBAY_DATA_DIR',
  'PATCHBAY_DISK_RESERVE_MB',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'PATCHBAY_PROJECT_STORAGE_MB',
  'PATCHBAY_SECRET_KEY',
  'PATCHBAY_ALLOW_OUTBOUND',
  'TRUSTED_PROXIES',
  'SMTP_URL',
  'MAIL_FROM',
  'PATCHBAY_DEMO',
  'PATCHBAY_PROJECTS_BY',
  'PATCHBAY_ROLES',
  'PATCHBAY_METRICS_PORT',
  'PATCHBAY_METRICS_HOST',
  'PATCHBAY_METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'LOG_LEVEL',
] as const;

const onOrOff = ['on', 'off'] as const;
const makers = ['owners', 'anyone'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * Reads the environment over a `.env` file in the working directory.
 * @throws ConfigError, with a text for people
 */
export function loadConfig(environment: Environment = process.env, envFile = '.env'): Config {
  const file = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  const read = (name: (typeof settings)[number]): string | null =>
    environment[name]?.trim() || file[name]?.trim() || null;

  const port = parsePort('PORT', read('PORT') ?? '3000');
  const host = read('HOST') ?? '127.0.0.1';
  const databaseUrl = read('DATABASE_URL');
  const roles = parseRoles(list(read('PATCHBAY_ROLES') ?? 'api,worker'));
  const dataDir = resolve(read('PATCHBAY_DATA_DIR') ?? './data');
  return {
    port,
    host,
    publicUrl: parsePublicUrl(
      read('PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ),
    databaseUrl,
    databaseListenUrl: read('DATABASE_LISTEN_URL'),
    databasePoolSize: parsePoolSize(read('DATABASE_POOL_SIZE'), roles),
    dataDir,
    diskReserveBytes: parseMegabytes('PATCHBAY_DISK_RESERVE_MB', read('PATCHBAY_DISK_RESERVE_MB') ?? '64'),
    s3: parseS3({
      endpoint: read('S3_ENDPOINT'),
      bucket: read('S3_BUCKET'),
      region: read('S3_REGION') ?? 'us-east-1',
      accessKeyId: read('S3_ACCESS_KEY_ID'),
      secretAccessKey: read('S3_SECRET_ACCESS_KEY'),
    }),
    projectStorageBytes: parseMegabytes(
      'PATCHBAY_PROJECT_STORAGE_MB',
      read('PATCHBAY_PROJECT_STORAGE_MB') ?? '10240',
    ),
    secretKey: parseSecretKey(read('PATCHBAY_SECRET_KEY') ?? secretKeyOfDataDir(databaseUrl, dataDir)),
    allowOutbound: list(read('PATCHBAY_ALLOW_OUTBOUND') ?? ''),
    trustedProxies: list(read('TRUSTED_PROXIES') ?? '').map(parseProxy),
    smtp: parseSmtp(read('SMTP_URL'), read('MAIL_FROM')),
    hasDemo: parseChoice('PATCHBAY_DEMO', read('PATCHBAY_DEMO') ?? 'on', onOrOff) === 'on',
    projectsBy: parseChoice('PATCHBAY_PROJECTS_BY', read('PATCHBAY_PROJECTS_BY') ?? 'owners', makers),
    roles,
    metrics: parseMetrics({
      port: read('PATCHBAY_METRICS_PORT'),
      host: read('PATCHBAY_METRICS_HOST') ?? '127.0.0.1',
      token: read('PATCHBAY_METRICS_TOKEN'),
    }),
    traces: parseTraces({
      endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
      headers: read('OTEL_EXPORTER_OTLP_HEADERS') ?? '',
      serviceName: read('OTEL_SERVICE_NAME') ?? 'patchbay',
      sampler: read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on',
      share: read('OTEL_TRACES_SAMPLER_ARG') ?? '1',
    }),
    logLevel: parseChoice('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', logLevels),
  };
}

/** Another key would open nothing, and what it seals would be lost when the first key is back. */
const keyIsMissing = (path: string): string =>
  `The database has a secret key, and ${path} is missing. Put the file back, or set PATCHBAY_SECRET_KEY. If the key is lost, make another one (openssl rand -base64 32 > ${path}) and connect every channel again.`;

/** The embedded database keeps its key beside it. A shared database needs a key that every process is given. */
function secretKeyOfDataDir(databaseUrl: string | null, dataDir: string): string {
  if (databaseUrl) {
    throw new ConfigError(
      'PATCHBAY_SECRET_KEY is required with DATABASE_URL. Create one with: openssl rand -base64 32. All processes need the same key.',
    );
  }
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path)) {
    if (existsSync(join(dataDir, 'database'))) throw new ConfigError(keyIsMissing(path));
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch (error) {
      // Another process made the key first, and both use that one.
      if (!existsSync(path)) throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(path, 'utf8').trim();
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function parseSecretKey(key: string): string {
  if (key.length < 32) throw new ConfigError('PATCHBAY_SECRET_KEY must have at least 32 characters.');
  return key;
}

function parsePort(name: string, text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new ConfigError(`${name} must be a port number, not "${text}".`);
  return port;
}

const shortestToken = 24;

/** Null without a port. On an address that others can reach, the figures of projects need a token. */
function parseMetrics({
  port,
  host,
  token,
}: {
  port: string | null;
  host: string;
  token: string | null;
}): MetricsSettings | null {
  if (port === null) return null;
  if (token === null && !isLoopback(host)) {
    throw new ConfigError(
      `PATCHBAY_METRICS_TOKEN is required with PATCHBAY_METRICS_HOST ${host}. Create one with: openssl rand -hex 24`,
    );
  }
  if (token !== null && !new RegExp(`^[!-~]{${shortestToken},}$`).test(token)) {
    throw new ConfigError(
      `PATCHBAY_METRICS_TOKEN must have at least ${shortestToken} letters, digits or signs of ASCII.`,
    );
  }
  return { port: parsePort('PATCHBAY_METRICS_PORT', port), host, token };
}

const largestPool = 1_000;

/** The pool of a process with one role. Concurrent requests share statements, and an engine looks once at a time. */
const poolOfRole = 8;

function parsePoolSize(text: string | null, roles: Role[]): number {
  if (text === null) return poolOfRole * roles.length;
  const size = Number(text);
  if (!Number.isInteger(size) || size < 2 || size > largestPool) {
    throw new ConfigError(
      `DATABASE_POOL_SIZE must be a whole number from 2 to ${largestPool}, not "${text}".`,
    );
  }
  return size;
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

type GivenTraces = {
  endpoint: string | null;
  headers: string;
  serviceName: string;
  sampler: string;
  share: string;
};

/** The standard settings of OpenTelemetry. Null without an endpoint. */
function parseTraces({ endpoint, headers, serviceName, sampler, share }: GivenTraces): TracesSettings | null {
  if (endpoint === null) return null;
  const url = URL.parse(endpoint);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address, not "${endpoint}".`);
  }
  return {
    endpoint: url.href.replace(/\/+$/, ''),
    headers: parseHeaders(headers),
    serviceName,
    ratio: parseRatio(parseChoice('OTEL_TRACES_SAMPLER', sampler, samplers), share),
  };
}

function parseRatio(sampler: (typeof samplers)[number], share: string): number {
  if (sampler.endsWith('always_on')) return 1;
  if (sampler.endsWith('always_off')) return 0;
  const ratio = Number(share);
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${share}".`);
  }
  return ratio;
}

/** `name=value,name=value`, with percent-encoded values. The text may be a secret, so a refusal does not repeat it. */
function parseHeaders(text: string): Record<string, string> {
  const pairs = list(text).map((pair) => /^([\w-]+)\s*=\s*(.*)$/.exec(pair));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        if (!pair) throw new URIError();
        const [, name = '', value = ''] = pair;
        return [name, decodeURIComponent(value)];
      }),
    );
  } catch {
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_HEADERS must be pairs such as authorization=Basic%20…, with commas between.',
    );
  }
}

function parseMegabytes(name: string, text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new ConfigError(`${name} must be a number of megabytes, not "${text}".`);
  return Number(text) * 2 ** 20;
}

function parsePublicUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new ConfigError(`PUBLIC_URL must be an http or https address, not "${text}".`);
  }
  return url.href.replace(/\/+$/, '');
}

type GivenS3 = { [name in keyof S3Settings]: S3Settings[name] | null };

/** All settings or none: some of them alone would silently store files in the folder of one machine. */
function parseS3({ endpoint, bucket, region, accessKeyId, secretAccessKey }: GivenS3): S3Settings | null {
  if (!endpoint && !bucket && !accessKeyId && !secretAccessKey) return null;
  if (!endpoint || !bucket || !region || !accessKeyId || !secretAccessKey) {
    throw new ConfigError(
      'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together or not at all.',
    );
  }
  const url = URL.parse(endpoint);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new ConfigError(`S3_ENDPOINT must be an http or https address, not "${endpoint}".`);
  }
  return { endpoint: url.href.replace(/\/+$/, ''), bucket, region, accessKeyId, secretAccessKey };
}

function parseProxy(text: string): AddressRange {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) {
    throw new ConfigError(
      `TRUSTED_PROXIES must name addresses and ranges such as 10.0.0.0/8, not "${text}".`,
    );
  }
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function parseSmtp(url: string | null, from: string | null): Smtp | null {
  if (url === null) return null;
  if (!/^smtps?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new ConfigError('SMTP_URL must be an address like smtp://user:password@host:587 or smtps://host.');
  }
  if (from === null) throw new ConfigError('MAIL_FROM is required with SMTP_URL. It is the sender address.');
  return { url, from };
}

function parseRoles(names: string[]): Role[] {
  const roles = names.filter((name): name is Role => name === 'api' || name === 'worker');
  if (roles.length === 0 || roles.length !== names.length) {
    throw new ConfigError(`PATCHBAY_ROLES must name api, worker or both, not "${names.join(',')}".`);
  }
  return roles;
}

function parseChoice<const Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined)
    throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not "${value}".`);
  return choice;
}
