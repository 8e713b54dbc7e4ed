import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programDocument } from '../../test/openapi/program-document.ts';
import { clientFiles } from './files.ts';

/** `npm run client`: writes what of the client follows from the API's description. */

for (const [name, text] of Object.entries(clientFiles(await programDocument()))) {
  writeFileSync(join(import.meta.dirname, '..', name), text);
}
