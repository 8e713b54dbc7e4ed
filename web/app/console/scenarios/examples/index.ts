import type { Language } from '../../../shared/language.tsx';
import basketEn from './basket.en.json';
import basketRu from './basket.ru.json';
import birthdayEn from './birthday.en.json';
import birthdayRu from './birthday.ru.json';
import bookingEn from './booking.en.json';
import bookingRu from './booking.ru.json';
import emptyEn from './empty.en.json';
import emptyRu from './empty.ru.json';
import faqEn from './faq.en.json';
import faqRu from './faq.ru.json';
import leadEn from './lead.en.json';
import leadRu from './lead.ru.json';
import menuEn from './menu.en.json';
import menuRu from './menu.ru.json';
import npsEn from './nps.en.json';
import npsRu from './nps.ru.json';
import optinEn from './optin.en.json';
import optinRu from './optin.ru.json';
import orderEn from './order.en.json';
import orderRu from './order.ru.json';
import phoneEn from './phone.en.json';
import phoneRu from './phone.ru.json';
import promocodeEn from './promocode.en.json';
import promocodeRu from './promocode.ru.json';
import reviewEn from './review.en.json';
import reviewRu from './review.ru.json';
import surveyEn from './survey.en.json';
import surveyRu from './survey.ru.json';

export const exampleKeys = [
  'empty',
  'menu',
  'phone',
  'promocode',
  'lead',
  'faq',
  'order',
  'booking',
  'survey',
  'nps',
  'review',
  'optin',
  'birthday',
  'basket',
] as const;
export type ExampleKey = (typeof exampleKeys)[number];

/** A starting scenario with a script that passes. */
export type Example = {
  title: string;
  hint: string;
  scenario: { name: string; steps: object[] };
  script: object;
};

export const examples: Record<ExampleKey, Record<Language, Example>> = {
  empty: { en: emptyEn, ru: emptyRu },
  menu: { en: menuEn, ru: menuRu },
  phone: { en: phoneEn, ru: phoneRu },
  promocode: { en: promocodeEn, ru: promocodeRu },
  lead: { en: leadEn, ru: leadRu },
  faq: { en: faqEn, ru: faqRu },
  order: { en: orderEn, ru: orderRu },
  booking: { en: bookingEn, ru: bookingRu },
  survey: { en: surveyEn, ru: surveyRu },
  nps: { en: npsEn, ru: npsRu },
  review: { en: reviewEn, ru: reviewRu },
  optin: { en: optinEn, ru: optinRu },
  birthday: { en: birthdayEn, ru: birthdayRu },
  basket: { en: basketEn, ru: basketRu },
};
