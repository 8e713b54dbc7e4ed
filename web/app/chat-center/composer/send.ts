import { useDesk } from '../desk.tsx';
import { newId } from '../new-id.ts';
import type { Draft } from './drafts.ts';
import type { Outgoing } from './outbox.ts';
import type { Upload } from './uploads.ts';

/** The number of characters, as the server counts them. */
const limits = { message: 4_096, note: 10_000 };

/** Sends a draft with its uploaded files; the first file carries the text. Files whose upload failed stay. */
export function useSend(chat: string, { text, isNote }: Draft, files: readonly Upload[]) {
  const { drafts, outbox, uploads } = useDesk();
  const words = text.trim();
  const ready = isNote ? [] : files.filter(({ state }) => state === 'ready');
  const isUploading = !isNote && files.some(({ state }) => state === 'uploading');
  const tooLongBy = [...words].length - (isNote ? limits.note : limits.message);
  const canSend = (words !== '' || ready.length > 0) && tooLongBy <= 0 && !isUploading;

  function put(part: Pick<Outgoing, 'type' | 'text' | 'attachment'>): void {
    outbox.add({ id: newId(), chat, at: new Date().toISOString(), ...part });
  }

  function send(): void {
    if (!canSend) return;
    for (const [index, { stored }] of ready.entries()) {
      const type = stored?.type.startsWith('image/') ? 'image' : 'document';
      put({ type, text: index === 0 ? words : '', attachment: stored });
    }
    if (ready.length === 0) put({ type: isNote ? 'note' : 'text', text: words, attachment: null });
    uploads.remove(ready.map(({ id }) => id));
    drafts.write(chat, { text: '', isNote });
  }
  return { send, canSend, tooLongBy, isUploading };
}
