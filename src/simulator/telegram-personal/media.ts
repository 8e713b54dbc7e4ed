import { Long, type tl } from '@mtcute/node';
import { seconds } from '../clock.ts';
import type { Person } from '../people.ts';
import type { Said, ShownFile } from '../player.ts';
import type { Files } from './files.ts';
import { userOf } from './people.ts';
import { RpcRefusal } from './rpc.ts';

/** Of the only server, which also has the files. */
export const serverNumber = 2;

const none = new Uint8Array();

/** What a person sends: the text of the message, and what is beside it. */
export function contentOf(
  person: Person,
  said: Said,
  files: Files,
): { message: string; media?: tl.TypeMessageMedia } {
  switch (said.kind) {
    case 'text':
      return { message: said.text };
    case 'press':
      return { message: said.label };
    case 'place': {
      const { latitude: lat, longitude: long } = said;
      const geo = { _: 'geoPoint', lat, long, accessHash: Long.ONE } as const;
      return { message: '', media: { _: 'messageMediaGeo', geo } };
    }
    case 'contact': {
      const { id: userId, firstName = '', lastName = '', phone: phoneNumber = '' } = userOf(person);
      return {
        message: '',
        media: { _: 'messageMediaContact', userId, firstName, lastName, phoneNumber, vcard: '' },
      };
    }
    default:
      return { message: said.text, media: fileOf(said, files) };
  }
}

function fileOf({ kind, file }: Extract<Said, { file: unknown }>, files: Files): tl.TypeMessageMedia {
  const { bytes, name: fileName, type: mimeType } = file;
  const size = bytes.length;
  const id = files.keep(bytes);
  const common = { id, accessHash: Long.ONE, fileReference: none, date: seconds(), dcId: serverNumber };
  if (kind === 'image') {
    const sizes = [{ _: 'photoSize', type: 'x', w: 100, h: 100, size } as const];
    return { _: 'messageMediaPhoto', photo: { _: 'photo', ...common, sizes } };
  }
  const attributes: tl.TypeDocumentAttribute[] =
    kind === 'voice'
      ? [{ _: 'documentAttributeAudio', voice: true, duration: 1 }]
      : [{ _: 'documentAttributeFilename', fileName }];
  return { _: 'messageMediaDocument', document: { _: 'document', ...common, mimeType, size, attributes } };
}

/** What Patchbay sent. Throws `RpcRefusal` for what we do not play. */
export function shownFile(media: tl.TypeInputMedia, files: Files): ShownFile {
  switch (media._) {
    case 'inputMediaUploadedPhoto':
      return { kind: 'image', name: nameOf(media.file), bytes: files.take(media.file) };
    case 'inputMediaUploadedDocument':
      return { kind: 'file', name: nameOf(media.file), bytes: files.take(media.file) };
    default:
      throw new RpcRefusal(400, 'MEDIA_INVALID');
  }
}

const nameOf = (file: tl.TypeInputFile): string => ('name' in file ? file.name : 'file');
