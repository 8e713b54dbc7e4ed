import { momentOf } from '../../platform/moment.ts';
import { invalid, messages } from '../../platform/problem.ts';
import type { CodeChange } from './codes-store.ts';
import { maxLength, type PromocodeGenerate, type PromocodePatch } from './schema.ts';

/** The requested change. A chat or a time of issue issues the code, unless the status says otherwise. */
export function changeOf(body: PromocodePatch): CodeChange {
  const issued = body.issued_chat || body.issued_at ? 'ISSUED' : undefined;
  return {
    code: body.code,
    groupId: uuidOf(body.group),
    status: body.status ?? issued,
    issuedChatId: uuidOf(body.issued_chat),
    issuedAt: momentIn(body.issued_at),
    expiresAt: momentIn(body.expires_at),
  };
}

/** The uuid in a reference, which may be a bare uuid. Null and undefined stay. */
export function uuidOf<None extends null | undefined>(
  reference: string | { uuid: string } | None,
): string | None {
  return typeof reference === 'object' && reference !== null ? reference.uuid : reference;
}

function momentIn(text: string | null | undefined): Date | null | undefined {
  return typeof text === 'string' ? momentOf(text) : text;
}

/** The form of generated codes: `prefix`, then `length` of the `characters`. */
export type Form = { prefix: string; characters: string; length: number };

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';

/** Throws `Invalid` when a code would be too long. Source: docs/contract.md, section 7. */
export function formOf({ prefix = '', chars_count = 10, is_add_integers }: PromocodeGenerate): Form {
  const room = maxLength - chars_count;
  if ([...prefix].length > room) throw invalid('prefix', messages.maxLength(room));
  return { prefix, characters: is_add_integers ? letters + digits : letters, length: chars_count };
}
