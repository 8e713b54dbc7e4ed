import type { ChannelDetails } from '../../../../src/people/console/channels/schema.ts';

/** The widget's settings in the form; an empty text means unset. */
export type Look = {
  title: string;
  greeting: string;
  accent: string;
  position: string;
  theme: string;
  language: string;
  allowed_origins: string;
};

export function lookOf({ settings }: ChannelDetails): Look {
  const text = (name: keyof Look, absent = ''): string => {
    const value = settings[name];
    return typeof value === 'string' ? value : absent;
  };
  return {
    title: text('title'),
    greeting: text('greeting'),
    accent: text('accent'),
    position: text('position', 'right'),
    theme: text('theme', 'auto'),
    language: text('language', 'auto'),
    allowed_origins: text('allowed_origins')
      .split(/[\s,]+/)
      .filter((origin) => origin !== '')
      .join('\n'),
  };
}
