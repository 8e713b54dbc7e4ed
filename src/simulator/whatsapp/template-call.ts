/** A component as the account lists it. */
export type TemplateComponent = {
  type: string;
  format?: string;
  text?: string;
  buttons?: { type: string; url?: string }[];
};

/** A component of a call that sends the template. */
type SentComponent = {
  type: string;
  sub_type?: string;
  index?: string | number;
  parameters?: { type: string }[];
};

type Lacking = { code: number; message: string };

/** The first parameter that a call lacks, with Meta's code for it. */
export function lackingIn(
  known: readonly TemplateComponent[],
  sent: readonly SentComponent[],
): Lacking | undefined {
  return (
    known.map((component) => lackingOf(component, sent)).find((lacking) => lacking !== null) ?? undefined
  );
}

function lackingOf(
  { type, format = 'TEXT', text = '', buttons = [] }: TemplateComponent,
  sent: readonly SentComponent[],
): Lacking | null {
  if (type === 'BUTTONS') {
    const index = buttons.findIndex((button, place) => !isPressable(button, place, sent));
    return index === -1 ? null : { code: 131008, message: `Button at index ${index} requires a parameter` };
  }
  const parameters = sent.find((some) => some.type === type.toLowerCase())?.parameters ?? [];
  if (type === 'HEADER' && format !== 'TEXT') {
    const isThere = parameters.some((parameter) => parameter.type === format.toLowerCase());
    return isThere ? null : { code: 132012, message: `header: Format mismatch, expected ${format}` };
  }
  return parameters.length < variablesIn(text)
    ? { code: 132000, message: `Number of parameters does not match: ${type}` }
    : null;
}

function isPressable(
  { type, url = '' }: { type: string; url?: string },
  place: number,
  sent: readonly SentComponent[],
): boolean {
  const has = (subType: string) =>
    sent.some(({ sub_type, index, parameters = [] }) => {
      return sub_type === subType && Number(index) === place && parameters.length > 0;
    });
  if (type === 'COPY_CODE') return has('copy_code');
  return type === 'OTP' || (type === 'URL' && variablesIn(url) > 0) ? has('url') : true;
}

const variablesIn = (text: string): number => new Set(text.match(/\{\{\w+\}\}/g)).size;
