import Type, { type Static } from 'typebox';
import { Choice, JsonObject, Text, Uri, Uuid } from '../../../platform/http/fields.ts';

export const TemplateParams = Type.Object({ pid: Type.String({ minLength: 1, maxLength: 255 }) });

const Language = Type.String({ pattern: '^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*$' });
/** WhatsApp refuses longer ones. */
const Body = Text(1024);
const Approval = Choice(['approved', 'pending', 'rejected']);

/** `waiting_mailings` still need it: planned and running ones. */
export const ListedTemplate = Type.Object({
  pid: Type.String(),
  body: Type.String(),
  variables: Type.Array(Type.String()),
  language: Type.String(),
  approval: Approval,
  /** The provider's reason for a rejection. */
  approval_detail: Type.String(),
  /** Whether a channel's provider has it. Then only the provider changes it. */
  is_provided: Type.Boolean(),
  waiting_mailings: Type.Integer(),
});

export type ListedTemplate = Static<typeof ListedTemplate>;

export const TemplateUpdate = Type.Object({ body: Body, language: Language, approval: Approval });

export const TemplateCreate = Type.Object({ pid: Text(255), ...TemplateUpdate.properties });

export type TemplateCreate = Static<typeof TemplateCreate>;

/** A template for the approval of a channel's provider. */
export const TemplateSubmit = Type.Object({
  channel: Uuid,
  name: Type.String({ pattern: '^[a-z0-9_]{1,255}$' }),
  language: Language,
  category: Choice(['marketing', 'utility']),
  body: Body,
  /** One value for each variable. */
  examples: JsonObject,
  /** An answer, or a link if it has a `url`. */
  buttons: Type.Array(Type.Object({ text: Text(25), url: Type.Optional(Uri) }), { maxItems: 10 }),
});

export type TemplateSubmit = Static<typeof TemplateSubmit>;

export const TemplatePreview = Type.Object({ body: Type.String({ maxLength: 4096 }), values: JsonObject });

export const PreviewedTemplate = Type.Object({
  variables: Type.Array(Type.String()),
  text: Type.String(),
});

export type PreviewedTemplate = Static<typeof PreviewedTemplate>;
