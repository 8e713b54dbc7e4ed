import type { Attachment } from '../../../../src/messaging/attachments/schema.ts';
import { type Api, problemOf } from '../../shared/api.ts';
import { Unreachable } from '../../shared/unreachable.ts';

/**
 * Uploads a file and reports its progress from 0 to 1, which `fetch` cannot do. Throws `ApiProblem` and
 * `Unreachable`.
 */
export function upload(
  { address, headers }: Api,
  file: File,
  onProgress: (share: number) => void,
): Promise<Attachment> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address('attachments/', { name: file.name }));
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(1, total));
    request.onerror = () => reject(new Unreachable());
    request.onload = async () => {
      const response = new Response(request.responseText, { status: request.status });
      if (response.ok) resolve(await response.json());
      else reject(await problemOf(response));
    };
    request.send(file);
  });
}
