import type { Member } from '../../access/auth/member.ts';
import { uploadByMember } from '../../messaging/attachments/upload.ts';
import type { Places } from '../../platform/places.ts';

/** The owner of a file until it is sent. */
export const uploaderOf = ({ operatorId }: Member): string => `operator ${operatorId}`;

/** POST /chat-center/api/attachments/: a file for a message that the operator has not sent yet. */
export const uploadAttachment = (places: Places) => uploadByMember(places, uploaderOf);
