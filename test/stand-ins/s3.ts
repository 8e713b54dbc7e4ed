import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Settings } from '../../src/platform/config.ts';
import type { Lifetime } from '../harness.ts';

type Failure = number | 'hangs up' | 'hangs';

export type ObjectStorage = {
  settings: S3Settings;
  /** The stored objects by path: `/bucket/name`. */
  objects: Map<string, { bytes: Buffer; type: string }>;
  /** Answers every later call with this status, never answers, or hangs up. Null restores normal answers. */
  failWith(failure: Failure | null): void;
};

const signature =
  /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/eu-test\/s3\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/;

/** Object storage in memory, which accepts only signed calls. */
export async function startObjectStorage(lifetime: Lifetime): Promise<ObjectStorage> {
  const objects: ObjectStorage['objects'] = new Map();
  let failure: Failure | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url = '', headers } = request;
    const answer = (status: number, body: Buffer | string = '') => response.writeHead(status).end(body);
    if (failure === 'hangs up') return response.destroy();
    if (failure === 'hangs') return;
    if (failure !== null) return answer(failure);
    if (!signature.test(headers.authorization ?? '')) return answer(403);
    switch (method) {
      case 'PUT':
        objects.set(url, { bytes: Buffer.concat(chunks), type: headers['content-type'] ?? '' });
        return answer(200);
      case 'GET':
        return objects.has(url) ? answer(200, objects.get(url)?.bytes) : answer(404, 'NoSuchKey');
      case 'DELETE':
        objects.delete(url);
        return answer(204);
      default:
        return answer(405);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  lifetime.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'files',
      region: 'eu-test',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    },
    objects,
    failWith: (wanted) => {
      failure = wanted;
    },
  };
}
