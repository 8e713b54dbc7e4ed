import { cardTemplate } from '../../platform/http/card.ts';
import { fillPage } from '../../platform/http/page.ts';

/** The pages around signing in. */

export const signInCard = cardTemplate('sign-in/sign-in.html', 'Sign in');
export const askCard = cardTemplate('sign-in/ask.html', 'Sign in');
export const deadCard = cardTemplate('sign-in/dead.html', 'Link not valid');
export const passwordCard = cardTemplate('sign-in/password.html', 'Choose a password');
export const invitedCard = cardTemplate('sign-in/invited.html', 'You are invited');
export const forgottenCard = cardTemplate('sign-in/forgotten.html', 'Forgotten password');
export const mailedCard = cardTemplate('sign-in/mailed.html', 'Check your email');

/** The complaint about a form, as a part of its page. Empty without a complaint. */
export const complaintPart = (complaint: string | null): string =>
  complaint === null ? '' : fillPage('<p class="complaint" role="alert">{{complaint}}</p>', { complaint });

/** The project that a new password behind an invitation accepts. */
export const joiningPart = (project: string | null): string =>
  project === null
    ? ''
    : fillPage(
        '<p>You are invited to <strong>{{project}}</strong>. Choosing a password accepts the invitation.</p>',
        { project },
      );

/** The sign-in page's text for a person without a password. */
export const forgottenPart = (base: string, isMailSet: boolean): string =>
  isMailSet
    ? fillPage('<p class="small"><a href="{{base}}/forgotten-password/">Forgot your password?</a></p>', {
        base,
      })
    : '<p class="small">Forgot your password, or have none? The server administrator can create a link with <code>patchbay user reset-password</code>.</p>';
