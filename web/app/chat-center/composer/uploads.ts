import type { Attachment } from '../../../../src/messaging/attachments/schema.ts';
import { ApiProblem } from '../../shared/api.ts';
import { type Held, held } from '../kept.ts';

/** An upload in progress. A failed upload stays for a retry. */
export type Upload = {
  id: string;
  chat: string;
  file: File;
  /** From 0 to 1. */
  progress: number;
  state: 'uploading' | 'ready' | 'failed';
  /** The server's message, or empty if the server was unreachable. */
  problem: string;
  stored: Attachment | null;
};

export type Uploads = {
  held: Held<readonly Upload[]>;
  add(chat: string, file: File): void;
  retry(id: string): void;
  remove(ids: readonly string[]): void;
};

export function createUploads(
  newId: () => string,
  send: (file: File, onProgress: (share: number) => void) => Promise<Attachment>,
): Uploads {
  const list = held<readonly Upload[]>([]);
  const change = (id: string, part: Partial<Upload>) =>
    list.set(list.get().map((one) => (one.id === id ? { ...one, ...part } : one)));

  async function start({ id, file }: Upload): Promise<void> {
    change(id, { state: 'uploading', progress: 0, problem: '' });
    try {
      const stored = await send(file, (progress) => change(id, { progress }));
      change(id, { state: 'ready', progress: 1, stored });
    } catch (error) {
      change(id, { state: 'failed', problem: error instanceof ApiProblem ? error.message : '' });
    }
  }

  return {
    held: list,
    add(chat, file) {
      const upload: Upload = {
        id: newId(),
        chat,
        file,
        progress: 0,
        state: 'uploading',
        problem: '',
        stored: null,
      };
      list.set([...list.get(), upload]);
      void start(upload);
    },
    retry(id) {
      const upload = list.get().find((one) => one.id === id);
      if (upload) void start(upload);
    },
    remove: (ids) => list.set(list.get().filter(({ id }) => !ids.includes(id))),
  };
}
