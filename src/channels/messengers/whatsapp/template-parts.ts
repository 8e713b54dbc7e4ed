import Type, { type Static } from 'typebox';
import { placeholdersOf } from '../../../platform/placeholders.ts';
import type { FilledTemplate, ProviderTemplate } from '../../contract/adapter.ts';
import { fileNameOf } from '../../shared/file.ts';

const TemplateButton = Type.Object({ type: Type.String(), url: Type.Optional(Type.String()) });

/** A part of a template, as the account's list describes it. */
export const TemplatePart = Type.Object({
  type: Type.String(),
  format: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  buttons: Type.Optional(Type.Array(TemplateButton)),
});

type TemplatePart = Static<typeof TemplatePart>;
type TemplateButton = Static<typeof TemplateButton>;

/** What a part needs: names of variables, or something that no variable can give. */
type Needs = { variables: string[] } | { lacking: string };

const nothing: Needs = { variables: [] };

/**
 * The body, and the variables that the template needs outside of it. A template that nobody could fill is rejected,
 * because each of its messages would fail.
 */
export function contentOfParts(
  parts: readonly TemplatePart[],
): Pick<ProviderTemplate, 'body' | 'further'> & { unfillable?: string } {
  const body = parts.find(({ type }) => wordOf(type) === 'BODY')?.text ?? '';
  const needs = parts.flatMap(needsOf);
  const further = needs.flatMap((need) => ('variables' in need ? need.variables : []));
  const [lacking] = needs.flatMap((need) => ('lacking' in need ? [need.lacking] : []));
  return {
    body,
    ...(further.length > 0 && { further }),
    ...(lacking && { unfillable: `Patchbay cannot send a template with ${lacking}.` }),
  };
}

/** Meta writes its words in either case. */
const wordOf = (word: string): string => word.toUpperCase();

function needsOf({ type, format, text, buttons }: TemplatePart): Needs[] {
  switch (wordOf(type)) {
    case 'HEADER':
      return [needsOfHeader(wordOf(format ?? 'TEXT'), text ?? '')];
    case 'BUTTONS':
      return (buttons ?? []).map((button, index) => needsOfButton(button, index + 1));
    case 'CAROUSEL':
      return [{ lacking: 'a carousel' }];
    case 'LIMITED_TIME_OFFER':
      return [{ lacking: 'an offer for a limited time' }];
    default:
      return [nothing];
  }
}

function needsOfHeader(format: string, text: string): Needs {
  switch (format) {
    case 'TEXT':
      return { variables: placeholdersOf(text).map((name) => `header.${name}`) };
    case 'IMAGE':
      return { variables: ['media.image'] };
    case 'VIDEO':
      return { variables: ['media.video'] };
    case 'DOCUMENT':
      return { variables: ['media.document'] };
    default:
      return { lacking: `a header of the type ${format}` };
  }
}

/** A code for signing in is sent like the end of an address, whatever its button does. */
function needsOfButton({ type, url }: TemplateButton, place: number): Needs {
  switch (wordOf(type)) {
    case 'URL':
      return placeholdersOf(url ?? '').length > 0 ? { variables: [`button.${place}.url`] } : nothing;
    case 'OTP':
      return { variables: [`button.${place}.url`] };
    case 'COPY_CODE':
      return { variables: [`button.${place}.code`] };
    case 'MPM':
    case 'SPM':
      return { lacking: 'a button for products' };
    case 'ORDER_DETAILS':
      return { lacking: 'a button for an order' };
    case 'FLOW':
      return { lacking: 'a button for a form' };
    default:
      return nothing;
  }
}

type Filled = FilledTemplate['variables'][number];

const ofHeader = /^header\.(.+)$/s;
const ofMedia = /^media\.(image|video|document)$/;
const ofButton = /^button\.(\d+)\.(url|code)$/;

/** The values in the components of a call. */
export function componentsOf(variables: readonly Filled[]): object[] {
  const isFurther = ({ name }: Filled) => [ofHeader, ofMedia, ofButton].some((form) => form.test(name));
  const header = variables.flatMap(headerParameter);
  const body = variables.filter((variable) => !isFurther(variable)).map(textParameter);
  return [
    ...(header.length > 0 ? [{ type: 'header', parameters: header }] : []),
    ...(body.length > 0 ? [{ type: 'body', parameters: body }] : []),
    ...variables.flatMap(buttonComponent),
  ];
}

const textParameter = ({ name, value }: Filled): object => ({
  type: 'text',
  ...(!/^\d+$/.test(name) && { parameter_name: name }),
  text: value,
});

function headerParameter({ name, value }: Filled): object[] {
  const [, own] = ofHeader.exec(name) ?? [];
  if (own) return [textParameter({ name: own, value })];
  const [, type] = ofMedia.exec(name) ?? [];
  if (!type) return [];
  const filename = type === 'document' ? { filename: fileNameOf(value) } : {};
  return [{ type, [type]: { link: value, ...filename } }];
}

function buttonComponent({ name, value }: Filled): object[] {
  const [, place, kind] = ofButton.exec(name) ?? [];
  if (!place) return [];
  const button = { type: 'button', index: String(Number(place) - 1) };
  return kind === 'url'
    ? [{ ...button, sub_type: 'url', parameters: [{ type: 'text', text: value }] }]
    : [{ ...button, sub_type: 'copy_code', parameters: [{ type: 'coupon_code', coupon_code: value }] }];
}
