import { openAsBlob } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import type { S3Settings } from '../../platform/config.ts';
import { Unavailable } from '../../platform/problem.ts';
import type { Files } from './files.ts';

/** Long enough to pass a large file to a client with a slow connection. */
const patienceMs = 5 * 60_000;
/** The answer begins by then, beside the time that the storage may take to receive a file. */
const usualAnswerMs = 15_000;
const slowestBytesPerMs = 512;

/**
 * Files in a bucket, addressed by path, as every S3-compatible service understands. The operator of this service
 * chose the endpoint, which may be internal. The guard for users' addresses therefore does not apply.
 */
export function filesInS3(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings,
  answerMs = usualAnswerMs,
): Files {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 });

  async function call(method: string, name: string, init: RequestInit = {}, size = 0): Promise<Response> {
    const silence = new AbortController();
    const timer = setTimeout(
      () => silence.abort(),
      Math.min(patienceMs, answerMs + size / slowestBytesPerMs),
    );
    const signal = AbortSignal.any([silence.signal, AbortSignal.timeout(patienceMs)]);
    const response = await client
      .fetch(`${endpoint}/${bucket}/${name}`, { method, redirect: 'error', signal, ...init })
      .catch((cause: unknown) => {
        throw new Unavailable('object storage gave no answer', { cause });
      })
      .finally(() => clearTimeout(timer));
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Unavailable(`object storage answered ${response.status} to ${method}`);
  }

  return {
    drafts: join(tmpdir(), 'patchbay-drafts'),

    async take(name, draft, mediaType) {
      const body = await openAsBlob(draft);
      const headers = { 'content-type': mediaType, 'content-length': String(body.size) };
      const response = await call('PUT', name, { headers, body }, body.size);
      await response.body?.cancel();
      if (!response.ok) throw new Unavailable(`object storage has no bucket ${bucket}`);
    },

    async read(name) {
      const response = await call('GET', name);
      if (response.ok && response.body) return heard(Readable.fromWeb(response.body));
      await response.body?.cancel();
      return null;
    },

    async remove(name) {
      const response = await call('DELETE', name);
      await response.body?.cancel();
    },
  };
}

/** The stream may break off before its reader begins, who then gets the error. Unheard, it would end the process. */
function heard(stream: Readable): Readable {
  return stream.on('error', () => {});
}
