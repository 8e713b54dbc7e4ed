import { createReadStream } from 'node:fs';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';

/** Accepted media types and their file extensions. A name without a matching extension gets the first one. */
const endings: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'csv', 'log', 'md', 'json'],
  'application/zip': ['zip'],
  'application/x-cfb': ['doc', 'xls', 'ppt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'audio/mpeg': ['mp3'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/x-m4a': ['m4a'],
  'audio/mp4': ['m4a'],
  'video/ogg': ['ogv'],
  'video/mp4': ['mp4', 'm4v'],
};

/** The type of the bytes themselves, whatever the file's name. Null for a type that is not accepted. */
export async function mediaTypeOf(path: string): Promise<string | null> {
  const found = await fileTypeFromFile(path);
  const type = found?.mime.split(';')[0] ?? '';
  if (Object.hasOwn(endings, type)) return type;
  // A text may begin with the letters that mark another type: "BMW" begins like a bitmap.
  return (await isPlainText(path)) ? 'text/plain' : null;
}

/** The type of a picture that every browser shows. Null for other types. */
export async function pictureTypeOf(bytes: Buffer): Promise<string | null> {
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? '';
  return isImage(type) && Object.hasOwn(endings, type) ? type : null;
}

export const isImage = (mediaType: string): boolean => mediaType.startsWith('image/');

export const endingsOf = (mediaType: string): readonly string[] => endings[mediaType] ?? [];

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text does not have.
const binary = /[\0-\x08\x0e-\x1f\x7f]/;

/** UTF-8 that no program takes for HTML or SVG. */
async function isPlainText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isBlank = true;
  try {
    for await (const piece of createReadStream(path)) {
      const text = decoder.decode(piece, { stream: true });
      if (binary.test(text)) return false;
      const start = isBlank ? text.trimStart() : '';
      if (start.startsWith('<')) return false;
      if (start !== '') isBlank = false;
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
