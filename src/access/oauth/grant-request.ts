import { isPrivateWay } from '../../platform/http/formats.ts';
import { queryOf } from '../../platform/http/target.ts';
import { isChallenge } from './rules.ts';

/** What an application's server has put into the address of the grant page. Source: docs/contract.md, section 2; RFC 6749, section 4.1.1. */
export type GrantRequest = {
  clientId: string;
  redirectUri: string;
  /** As it came, still encoded, so that it goes back to the letter; null where there is none. */
  rawState: string | null;
  codeChallenge: string | null;
};

export type Application = { id: string; name: string; redirectUris: readonly string[] };

/** An error that the application is told by a redirect. Source: RFC 6749, section 4.1.2.1. */
export type Complaint = { error: 'invalid_request' | 'unsupported_response_type'; description: string };

/** The one value of a parameter; null when it is missing or there are several, which no server of ours may choose from. */
function only(query: URLSearchParams, name: string): string | null {
  const [value, ...more] = query.getAll(name);
  return value === undefined || more.length > 0 ? null : value;
}

/** The request, whose application has still to be found; null when it does not say where it comes from. */
export function readGrantRequest(target: string): GrantRequest | null {
  const query = queryOf(target);
  const [clientId, redirectUri] = [only(query, 'client_id'), only(query, 'redirect_uri')];
  if (clientId === null || redirectUri === null) return null;
  return {
    clientId,
    redirectUri,
    rawState: only(query, 'state') === null ? null : rawValue(target, 'state'),
    codeChallenge: only(query, 'code_challenge'),
  };
}

/** Names are encoded by nobody, except by whoever wants to be read in two ways: then it counts as absent. */
const rawValue = (target: string, name: string): string | null =>
  new RegExp(`[?&]${name}=(?<value>[^&#]*)`).exec(target)?.groups?.value ?? null;

/**
 * Whether exactly this address was registered: to the letter, since any kindness here sends codes to strangers. One of http, from
 * before such were refused, counts no more: whoever is on its way reads the code.
 */
export const isRegistered = ({ redirectUris }: Application, redirectUri: string): boolean =>
  redirectUris.includes(redirectUri) && isPrivateWay(redirectUri);

/** What is wrong with the rest of the request; null when nothing is. */
export function complaintAbout(target: string): Complaint | null {
  const query = queryOf(target);
  const names = ['state', 'response_type', 'code_challenge', 'code_challenge_method'] as const;
  const repeated = names.find((name) => query.getAll(name).length > 1);
  if (repeated) return invalidRequest(`The parameter ${repeated} is repeated.`);
  const type = query.get('response_type');
  if (type !== null && type !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type can only be code.' };
  }
  return complaintAboutChallenge(query.get('code_challenge'), query.get('code_challenge_method'));
}

/** Without a method a challenge would be `plain`, which whoever sees the address can answer. Source: RFC 7636, sections 4.3 and 7.2. */
function complaintAboutChallenge(challenge: string | null, method: string | null): Complaint | null {
  if (challenge === null && method === null) return null;
  if (method !== 'S256') return invalidRequest('code_challenge_method has to be S256.');
  if (challenge === null || !isChallenge(challenge)) {
    return invalidRequest('code_challenge is not a challenge made with S256.');
  }
  return null;
}

const invalidRequest = (description: string): Complaint => ({ error: 'invalid_request', description });

/**
 * The registered address with the answer behind the query that it may have. `iss` says who answers, so that an
 * application with several servers is not led to the wrong one (RFC 9207).
 */
export function answerAddress(
  { redirectUri, rawState }: Pick<GrantRequest, 'redirectUri' | 'rawState'>,
  answer: Record<string, string>,
  issuer: string,
): string {
  const address = new URL(redirectUri).href;
  const joint = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?';
  const state = rawState === null ? '' : `&state=${rawState}`;
  return `${address}${joint}${new URLSearchParams(answer)}${state}&${new URLSearchParams({ iss: issuer })}`;
}
