import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Asset = {
  send(request: FastifyRequest, reply: FastifyReply, headers: Record<string, string>): FastifyReply;
};

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
};

/** A text file for browsers, compressed once. The extension of `name` is a key of `types`. */
export function createAsset(name: string, text: string): Asset {
  const plain = Buffer.from(text);
  const packed = gzipSync(plain, { level: 9 });
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`;
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  if (!type) throw new Error(`${name} is of a type that is not served`);
  return {
    send(request, reply, headers) {
      // Any page may embed a widget, and modules load by CORS.
      reply.headers({ etag, vary: 'accept-encoding', 'access-control-allow-origin': '*', ...headers });
      reply.header('cross-origin-resource-policy', 'cross-origin').type(type);
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
      const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding']));
      return takesGzip ? reply.header('content-encoding', 'gzip').send(packed) : reply.send(plain);
    },
  };
}
