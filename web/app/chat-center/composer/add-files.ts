import { useLanguage, useTexts } from '../../shared/language.tsx';
import { useDesk } from '../desk.tsx';
import { useNotice } from '../notice.ts';
import { composerTexts } from './texts.ts';

const mebibyte = 1024 * 1024;
/** The server’s limit for a file. */
const limitBytes = 20 * mebibyte;

export function useSizeLimit(): string {
  const { language } = useLanguage();
  const size = new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte' });
  return size.format(limitBytes / mebibyte);
}

/** Adds files to the chat’s next message and reports files that are too large. */
export function useAddFiles(chat: string): (files: Iterable<File>) => void {
  const t = useTexts(composerTexts);
  const notice = useNotice();
  const { uploads } = useDesk();
  const limit = useSizeLimit();
  return (files) => {
    for (const file of files) {
      if (file.size <= limitBytes) uploads.add(chat, file);
      else notice(t.tooLarge(file.name, limit), 'problem');
    }
  };
}
