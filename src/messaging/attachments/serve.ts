import Type from 'typebox';
import type { Context } from '../../platform/context.ts';
import { openAction } from '../../platform/http/action.ts';
import { NotFound } from '../../platform/problem.ts';
import { type AttachmentKey, readFileToken } from './address.ts';
import { fileName } from './create.ts';
import { filesOf } from './files.ts';
import { isImage } from './media-type.ts';
import { type AttachmentRow, findAttachment } from './store.ts';

/** A browser that opens a file runs no code in it, whatever a stranger put into it. */
export const harmless = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'private, max-age=31536000, immutable',
};

type Found = { key: AttachmentKey; row: AttachmentRow };

/** Returns a client's file that is not fetched yet. Null if there is none. */
type AwaitFile = (context: Context, key: AttachmentKey) => Promise<AttachmentRow | null>;

const fileLoader =
  (awaitFile: AwaitFile) =>
  async (context: Context, _: unknown, { token }: { token: string }): Promise<Found | undefined> => {
    const key = readFileToken(context.config.secretKey, token);
    if (!key) return undefined;
    const row = (await findAttachment(context.sql, key)) ?? (await awaitFile(context, key));
    return row ? { key, row } : undefined;
  };

/** GET `/files/{token}/{name}`: a file, for everybody who knows its address. The name is only for people to read. */
export const serveFile = (awaitFile: AwaitFile) =>
  openAction({
    params: Type.Object({ token: Type.String(), name: Type.String() }),
    load: fileLoader(awaitFile),
    handle: async ({ context, loaded: { key, row }, reply }) => {
      const stream = await filesOf(context.config).read(fileName(key));
      if (stream === null) throw new NotFound();
      return reply.headers({ ...harmless, ...headersOf(row) }).send(stream);
    },
  });

export const headersOf = ({ name, media_type: type, size }: AttachmentRow) => ({
  'content-type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
  'content-length': String(size),
  'content-disposition': disposition(isImage(type) ? 'inline' : 'attachment', name),
});

/** An ASCII name for older browsers, and the real name. Source: RFC 6266, section 5; RFC 8187, section 3.2. */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^ !#-[\]-~]|%/g, '_');
  const real = encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${real}`;
}
