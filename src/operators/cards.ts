import type { Person } from '../auth/person.ts';
import { type Card, cardTemplate } from '../http/card.ts';
import { fillPage } from '../http/page.ts';

/** The pages around signing in. */

export const signInCard = cardTemplate('sign-in/sign-in.html', 'Sign in');
export const askCard = cardTemplate('sign-in/ask.html', 'Sign in');
export const deadCard = cardTemplate('sign-in/dead.html', 'Link not valid');
export const passwordCard = cardTemplate('sign-in/password.html', 'Choose a password');
const homeTemplate = cardTemplate('sign-in/home.html', 'Signed in');

/** What is wrong with a form, as a part of its page; nothing where nothing is. */
export const complaintPart = (complaint: string | null): string =>
  complaint === null ? '' : fillPage('<p class="complaint" role="alert">{{complaint}}</p>', { complaint });

/** For somebody who is signed in, until there is a console. */
export function homeCard(base: string, token: string, { email, projects }: Person): Card {
  const items = projects.map(({ title, role }) =>
    fillPage('<li><strong>{{title}}</strong>, as {{role}}</li>', {
      title,
      role: role === 'admin' ? 'administrator' : 'operator',
    }),
  );
  const list = items.length > 0 ? `<ul>${items.join('')}</ul>` : '<p>No project is yours yet.</p>';
  return homeTemplate({ base, token, email }, { projects: list });
}
