import { useState } from 'react';
import type { Attachment } from '../../../../../src/messaging/attachments/schema.ts';
import { useApi } from '../../api.ts';

/** Stores a file for messages, and returns its public address. Throws `ApiProblem` and `Unreachable`. */
export function useUpload() {
  const api = useApi();
  const [isBusy, setBusy] = useState(false);
  async function send(file: File): Promise<string> {
    setBusy(true);
    try {
      const response = await api.open('POST', `attachments/?name=${encodeURIComponent(file.name)}`, {
        body: file,
        headers: { 'content-type': 'application/octet-stream' },
      });
      const { url }: Attachment = await response.json();
      return url;
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, send };
}
