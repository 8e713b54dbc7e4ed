import { type Card, cardTemplate } from '../../platform/http/card.ts';
import { fillPage } from '../../platform/http/page.ts';
import type { Person } from '../auth/person.ts';

const askTemplate = cardTemplate('grant/grant.html', 'Give access');
const noneTemplate = cardTemplate('grant/none.html', 'Give access');
const accountTemplate = cardTemplate('grant/account.html', '');
const wrongTemplate = cardTemplate('grant/wrong.html', 'Request not valid');

/** The page for a request without a valid address to redirect to. */
export const wrongCard = (reason: string): Card => wrongTemplate({ reason });

export type Asked = {
  base: string;
  /** The form's token. */
  token: string;
  application: string;
  redirectUri: string;
  person: Person;
  /** The path of this page. */
  target: string;
  complaint: string | null;
};

/** The projects whose access a person may grant: those that they administer. */
export const grantable = ({ projects }: Person): Person['projects'] =>
  projects.filter(({ role }) => role === 'admin');

export function grantCard({ base, token, application, redirectUri, person, target, complaint }: Asked): Card {
  const projects = grantable(person);
  const account = accountTemplate({ base, token, next: target, email: person.email }).html;
  const texts = { token, application, destination: new URL(redirectUri).host };
  if (projects.length === 0) return noneTemplate(texts, { account });
  return askTemplate(texts, {
    account,
    complaint:
      complaint === null
        ? ''
        : fillPage('<p class="complaint" role="alert">{{complaint}}</p>', { complaint }),
    choices: projects.map(({ id, title }) => choice(id, title, projects.length === 1)).join(''),
  });
}

/** A single choice is preselected. */
const choice = (id: string, title: string, isChosen: boolean): string =>
  fillPage(
    `<label class="choice"><input type="radio" name="project" value="{{id}}" required${isChosen ? ' checked' : ''}> {{title}}</label>`,
    { id, title },
  );
