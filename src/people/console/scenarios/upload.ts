import { uploadByMember } from '../../../messaging/attachments/upload.ts';
import type { Places } from '../../../platform/places.ts';

/** POST /console/api/attachments/: a picture or a file for a scenario. It is kept from now on. */
export const uploadFile = (places: Places) => uploadByMember(places, () => undefined);
