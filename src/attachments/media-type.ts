import { fileTypeFromBuffer } from 'file-type';

/** What may be uploaded, and how the names of such files end. The first ending is given to a name that has none of them. */
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

/** The type that the bytes themselves have, whatever they are called; null for one that is not accepted. */
export async function mediaTypeOf(bytes: Buffer): Promise<string | null> {
  const found = await fileTypeFromBuffer(bytes);
  const type = found?.mime.split(';')[0] ?? '';
  if (Object.hasOwn(endings, type)) return type;
  // A text may begin with the letters that mark another type, as "BMW" begins with those of a bitmap.
  return isPlainText(bytes) ? 'text/plain' : null;
}

export const isImage = (mediaType: string): boolean => mediaType.startsWith('image/');

export const endingsOf = (mediaType: string): readonly string[] => endings[mediaType] ?? [];

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text does not have.
const binary = /[\0-\x08\x0e-\x1f\x7f]/;
const markup = /^\s*</;

/** UTF-8 that no program would take for a page or a drawing. */
function isPlainText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return !binary.test(text) && !markup.test(text);
  } catch {
    return false;
  }
}
