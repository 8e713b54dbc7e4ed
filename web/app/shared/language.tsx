import { createContext, type PropsWithChildren, useContext, useEffect, useMemo, useState } from 'react';

/** The languages of the apps. A text that is missing in a language does not compile. */
export const languages = { en: 'English', ru: 'Русский' } as const;
export type Language = keyof typeof languages;

type Texts<T> = Readonly<Record<Language, T>>;

/**
 * The texts of one part of an app. The other languages have exactly the keys of English. A text with values is a
 * function.
 */
export const texts = <T extends object>(
  inEnglish: T,
  others: Readonly<Record<Exclude<Language, 'en'>, T>>,
): Texts<T> => ({
  en: inEnglish,
  ...others,
});

type Choice = { language: Language; choose(language: Language): void };

const LanguageContext = createContext<Choice>({ language: 'en', choose: () => {} });

const storageKey = 'patchbay-language';

/** In a frame, some browsers throw on any access to storage. */
function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function store(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Without storage the choice lives as long as the page.
  }
}

const isLanguage = (word: string): word is Language => Object.hasOwn(languages, word);

export const otherLanguages = (language: Language): Language[] =>
  Object.keys(languages)
    .filter(isLanguage)
    .filter((other) => other !== language);

function firstLanguage(): Language {
  const wanted = [stored(), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((word) => word !== null && isLanguage(word)) ?? 'en';
}

export function LanguageProvider({ children }: PropsWithChildren) {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      choose: (chosen: Language) => {
        store(chosen);
        setLanguage(chosen);
      },
    }),
    [language],
  );
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

export const useLanguage = (): Choice => useContext(LanguageContext);

export const useTexts = <T extends object>(all: Texts<T>): T => all[useLanguage().language];

/** Picks the reader's language of a text that the server gives in each. */
export function useWords(): (words: Readonly<Record<Language, string>>) => string {
  const { language } = useLanguage();
  return (words) => words[language];
}

type Forms = { one: string; few?: string; many?: string; other: string };

/**
 * A number with its noun in the right plural: `counted('ru', 3, { one: 'чат', few: 'чата', many: 'чатов', other:
 * 'чата' })`.
 */
export function counted(language: Language, count: number, forms: Forms): string {
  const rule = new Intl.PluralRules(language).select(count);
  const noun =
    { zero: undefined, two: undefined, few: undefined, many: undefined, ...forms }[rule] ?? forms.other;
  return `${new Intl.NumberFormat(language).format(count)} ${noun}`;
}

/** Numbers and times in the reader's format and time zone. */
export function useFormat() {
  const { language } = useLanguage();
  return useMemo(() => {
    const number = new Intl.NumberFormat(language);
    const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
    const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
    const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
    const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
    const since = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const orDash =
      (write: (at: Date) => string) =>
      (at: string | null | undefined): string =>
        at ? write(new Date(at)) : '–';
    return {
      number: (value: number) => number.format(value),
      percent: (share: number) => percent.format(share),
      moment: orDash((at) => moment.format(at)),
      day: orDash((at) => day.format(at)),
      time: orDash((at) => time.format(at)),
      /** `5 minutes ago`, in the largest unit that fits. */
      ago: orDash((at) => {
        const seconds = (at.getTime() - Date.now()) / 1000;
        const units = [
          ['day', 86_400],
          ['hour', 3_600],
          ['minute', 60],
        ] as const;
        const fitting = units.find(([, length]) => Math.abs(seconds) >= length);
        return fitting
          ? since.format(Math.round(seconds / fitting[1]), fitting[0])
          : since.format(0, 'second');
      }),
      /** A duration in seconds: `2 h 5 min`. */
      duration: (seconds: number) => {
        const whole = Math.max(0, Math.round(seconds));
        const parts = [
          [Math.floor(whole / 3_600), 'hour'],
          [Math.floor((whole % 3_600) / 60), 'minute'],
          [whole % 60, 'second'],
        ] as const;
        const first = parts.findIndex(([value]) => value > 0);
        return parts
          .slice(first < 0 ? 2 : first, (first < 0 ? 2 : first) + 2)
          .filter(([value], index) => value > 0 || index === 0)
          .map(([value, unit]) =>
            new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
          )
          .join(' ');
      },
    };
  }, [language]);
}
