import type { Button, FilledTemplate } from '../../channels/contract/adapter.ts';
import type { CarriedType } from '../../channels/contract/capabilities.ts';
import { contentKindOf } from '../../channels/registry.ts';

/** The content that a channel is asked to send for a row of `messages`. Null if no channel can, as for a scenario. */
export type Carried = {
  type: CarriedType;
  text: string | null;
  url: string | null;
  buttons: Button[];
  template?: FilledTemplate;
};

/**
 * The columns `content_type` and `content` as the push API and the connector wrote them, or `rendered` instead. A
 * mailing's content is rendered for its recipient before it is sent.
 */
export type MessageContent = {
  text?: string;
  url?: string;
  buttons?: Button[];
  template?: FilledTemplate;
  variables?: { [name: string]: string };
  promocodes?: { [group: string]: string };
  /** Of `nothing`: the text says why the message was refused before its scenario began. */
  is_refused?: boolean;
};

export function carriedBy(contentType: string, content: MessageContent): Carried | null {
  const type = contentKindOf(contentType);
  if (type === null || type === 'node') return null;
  return {
    type,
    text: content.text ?? null,
    url: content.url ?? null,
    buttons: content.buttons ?? [],
    ...(content.template && { template: content.template }),
  };
}
